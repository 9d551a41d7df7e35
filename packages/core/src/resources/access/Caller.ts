import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Application } from "../../model/Application.js"
import type { Scope } from "../../model/Scope.js"
import type { Workspace } from "../../model/Workspace.js"

/** The authenticated application of a request, with its scopes as of now. */
export interface Caller {
  readonly application: Application
  readonly workspace: Workspace
  readonly scopes: ReadonlyArray<Scope>
  /** The credential's id; null for a call in this process. */
  readonly credentialId: string | null
  /** Whether sends take no token of the application's bucket. Default: false. */
  readonly unlimited?: boolean
}

/**
 * A 403 refusal with `details.required_scope` if the caller has none of these scopes, else null
 * (docs/reference/authentication.md#missing-scope).
 */
export const missingScope = (caller: Caller, anyOf: ReadonlyArray<Scope>): Refusal | null =>
  anyOf.length === 0 || anyOf.some((scope) => caller.scopes.includes(scope))
    ? null
    : refuse("forbidden", { required_scope: anyOf[0] }, `This needs the scope ${anyOf.join(" or ")}.`)
