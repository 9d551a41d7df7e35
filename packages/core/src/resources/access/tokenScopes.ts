import type { Application } from "../../model/Application.js"
import type { Scope } from "../../model/Scope.js"

/**
 * The distinct scopes in `scope` of a token request; all scopes of the application if it is absent. Null if it contains
 * no scope, or one that the application does not hold (docs/reference/authentication.md#token-endpoint).
 */
export const requestedScopes = (
  scope: string | null | undefined,
  { scopes }: Pick<Application, "scopes">
): ReadonlyArray<Scope> | null => {
  if (scope == null) return scopes
  const isHeld = (name: string): name is Scope => scopes.some((held) => held === name)
  const named = [...new Set(scope.split(" ").filter((name) => name !== ""))]
  return named.length > 0 && named.every(isHeld) ? named : null
}

/** The scope for sending a message of this type (docs/reference/authentication.md#scopes). */
export const sendScopeOf = (type: string | undefined): Scope =>
  type === "template" ? "templates.send" : "messages.send"

/**
 * Narrowed scopes: the granted scopes that the application still holds: the current scopes of an access token
 * (docs/reference/authentication.md#access-tokens).
 */
export const currentScopes = (
  granted: ReadonlyArray<Scope>,
  { scopes }: Pick<Application, "scopes">
): ReadonlyArray<Scope> => scopes.filter((scope) => granted.includes(scope))
