import { Either } from "effect"
import type { Problems, Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Application } from "../../model/Application.js"
import { hour, type Instant } from "../../model/Instant.js"
import type { AccessToken, OAuthClient } from "../../model/OAuthClient.js"
import type { Workspace } from "../../model/Workspace.js"
import { changes, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { accessTokenText, hashOf, keyLength, matchesHash } from "./Credential.js"
import { grantType, type TokenInput } from "./TokenInput.js"
import { refuseToken } from "./tokenRefusal.js"
import { requestedScopes } from "./tokenScopes.js"

/** Lifetime of an access token, in ms (docs/reference/authentication.md#access-tokens). */
export const tokenLifetime = hour

/** The client with this `client_id`, its application and its workspace. */
export interface ExchangeWorld {
  readonly client: OAuthClient | undefined
  readonly application: Application | undefined
  readonly workspace: Workspace | undefined
}

/** A stored token and its text, which is shown once. */
export interface IssuedToken {
  readonly accessToken: AccessToken
  readonly text: string
}

/**
 * `POST /oauth/token`: issues a token for one hour with the requested scopes; default: all scopes of the application. A
 * suspended workspace still gets tokens (docs/reference/authentication.md#token-endpoint). Fails as {@link refuseToken}
 * describes.
 */
export const exchangeToken = (
  { client, application, workspace }: ExchangeWorld,
  { value, problems }: PartialDecode<TokenInput>,
  serviceName: string,
  now: Instant,
  ids: Ids
): Either.Either<Decision<IssuedToken>, Refusal> => {
  if (value.grantType !== undefined && value.grantType !== grantType) {
    return refused("unsupported_grant_type", `The grant_type must be ${grantType}.`)
  }
  const { clientSecret, scope } = value
  if (clientSecret === undefined || Object.keys(problems).length > 0)
    return refused("invalid_request", sentence(problems))
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
  const scopes = requestedScopes(scope, application)
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

/** One sentence for each problem. */
const sentence = (problems: Problems): string =>
  Object.entries(problems)
    .flatMap(([field, message]) => message.map((word) => `The ${field} ${word}.`))
    .join(" ")
