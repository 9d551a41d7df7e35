import { Either } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import type { ApiKey, Application } from "./Application.js"
import type { Caller } from "./Caller.js"
import type { AccessToken, OAuthClient } from "./OAuthClient.js"
import type { Scope } from "./Scope.js"
import type { Workspace } from "./Workspace.js"

/** What was found of a bearer token. */
export interface Presented {
  readonly credential:
    | { readonly _tag: "ApiKey"; readonly apiKey: ApiKey | undefined }
    | {
        readonly _tag: "AccessToken"
        readonly accessToken: AccessToken | undefined
        readonly client: OAuthClient | undefined
      }
  readonly application: Application | undefined
  readonly workspace: Workspace | undefined
}

/**
 * The caller behind a bearer token. An API key carries its application's scopes as they are now; an access token those of
 * them that it was granted (decisions.md §3). Refuses with `unauthenticated`, `account_suspended`, `workspace_unavailable`,
 * and `workspace_suspended` for a write.
 */
export const callerOf = (
  { credential, application, workspace }: Presented,
  purpose: "read" | "write",
  now: Instant
): Either.Either<Caller, Refusal> => {
  const grant = credential._tag === "ApiKey" ? grantOfKey(credential.apiKey) : grantOfToken(credential, now)
  if (typeof grant === "string") return unauthenticated(grant)
  if (application === undefined || workspace === undefined) {
    return unauthenticated("This credential's application does not exist any more.")
  }
  if (application.status === "suspended") return Either.left(refuse("account_suspended"))
  if (workspace.status === "unavailable") return Either.left(refuse("workspace_unavailable"))
  if (workspace.status === "suspended" && purpose === "write") return Either.left(refuse("workspace_suspended"))
  const { credentialId, granted } = grant
  const scopes = granted === "all" ? application.scopes : application.scopes.filter((scope) => granted.includes(scope))
  return Either.right({ application, workspace, scopes, credentialId })
}

/** What a credential was given. */
interface Grant {
  readonly credentialId: string
  readonly granted: ReadonlyArray<Scope> | "all"
}

/** The grant, or why there is none. */
const grantOfKey = (apiKey: ApiKey | undefined): Grant | string =>
  apiKey === undefined || apiKey.revokedAt !== null
    ? "This credential is not valid. It may have been revoked or mistyped."
    : { credentialId: apiKey.id, granted: "all" }

const grantOfToken = (
  { accessToken, client }: Extract<Presented["credential"], { readonly _tag: "AccessToken" }>,
  now: Instant
): Grant | string => {
  const anew = "Request a new one from POST /oauth/token."
  if (accessToken === undefined) return `This access token is not valid: it has expired, or was mistyped. ${anew}`
  if (accessToken.expiresAt <= now) return `This access token has expired. ${anew}`
  if (client === undefined || client.revokedAt !== null || client.version !== accessToken.clientVersion) {
    return `This access token is not valid any more: its client was revoked or has a new secret. ${anew}`
  }
  return { credentialId: client.id, granted: accessToken.scopes }
}

const unauthenticated = (message: string) => Either.left(refuse("unauthenticated", {}, message))
