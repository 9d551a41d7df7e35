import { Either } from "effect"
import type { Decision } from "../Decider.js"
import type { Problems, Refusal } from "../errors/Refusal.js"
import { hour, type Instant } from "../Instant.js"
import type { Draft } from "../input/Draft.js"
import { changes, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Application } from "./Application.js"
import { accessTokenText, hashOf, keyLength, matchesHash } from "./Credential.js"
import type { AccessToken, OAuthClient } from "./OAuthClient.js"
import type { Scope } from "./Scope.js"
import { grantType, type TokenInput } from "./TokenInput.js"
import { refuseToken } from "./tokenRefusal.js"
import type { Workspace } from "./Workspace.js"

/** How long an access token lives, in ms (spec, Limits). */
export const tokenLifetime = hour

/** The client of the `client_id`, and whose it is. */
export interface ExchangeWorld {
  readonly client: OAuthClient | undefined
  readonly application: Application | undefined
  readonly workspace: Workspace | undefined
}

/** A token as it is kept, and its text, which is shown once. */
export interface IssuedToken {
  readonly accessToken: AccessToken
  readonly text: string
}

/**
 * `POST /oauth/token`: a token for an hour, with the scopes that are asked for, else all that the application holds. A
 * suspended workspace still gets its tokens (decisions.md §9). Refuses as {@link refuseToken} says.
 */
export const exchangeToken = (
  { client, application, workspace }: ExchangeWorld,
  { value, problems }: Draft<TokenInput>,
  serviceName: string,
  now: Instant,
  ids: Ids
): Either.Either<Decision<IssuedToken>, Refusal> => {
  if (value.grantType !== undefined && value.grantType !== grantType) {
    return refused("unsupported_grant_type", `The grant_type must be ${grantType}.`)
  }
  const { clientSecret, scope } = value
  if (clientSecret === undefined || Object.keys(problems).length > 0) return refused("invalid_request", told(problems))
  if (client === undefined || !matchesHash(clientSecret, client.secretHash) || client.revokedAt !== null) {
    return refused(
      "invalid_client",
      "The client_id and client_secret are not those of a client. It may have been revoked."
    )
  }
  if (application === undefined || application.status === "suspended") {
    return refused("invalid_client", "The application of this client is suspended. Ask an administrator.")
  }
  if (workspace === undefined || workspace.status === "unavailable") {
    return refused("invalid_client", "The workspace of this client is not available. Ask an administrator.")
  }
  const scopes = scope == null ? application.scopes : scopesIn(scope, application)
  if (scopes === null) {
    return refused("invalid_scope", "The scope must be a space-separated list of scopes that the application holds.")
  }
  const text = accessTokenText(serviceName, ids.secret(keyLength))
  const accessToken: AccessToken = {
    hash: hashOf(text),
    workspaceId: client.workspaceId,
    applicationId: client.applicationId,
    oauthClientId: client.id,
    clientVersion: client.version,
    scopes,
    createdAt: now,
    expiresAt: now + tokenLifetime
  }
  return Either.right({
    changes: changes(client.workspaceId, { claims: [row("accessTokens", accessToken)] }),
    result: { accessToken, text }
  })
}

const refused = (...given: Parameters<typeof refuseToken>) => Either.left(refuseToken(...given))

/** The scopes that a text names, each once, or null where it names none or one that the application does not hold. */
const scopesIn = (text: string, { scopes }: Application): ReadonlyArray<Scope> | null => {
  const isHeld = (name: string): name is Scope => scopes.some((scope) => scope === name)
  const named = [...new Set(text.split(" ").filter((name) => name !== ""))]
  return named.length > 0 && named.every(isHeld) ? named : null
}

/** Every problem in one sentence each. */
const told = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, words]) => words.map((word) => `The ${field} ${word}.`))
    .join(" ")
