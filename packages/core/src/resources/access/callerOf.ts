import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { ApiKey, Application } from "../../model/Application.js"
import type { Instant } from "../../model/Instant.js"
import type { AccessToken, OAuthClient } from "../../model/OAuthClient.js"
import type { Scope } from "../../model/Scope.js"
import type { Workspace } from "../../model/Workspace.js"
import type { Caller } from "./Caller.js"
import { currentScopes } from "./tokenScopes.js"

/** The rows that belong to a bearer token. */
export interface PresentedCredential {
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
 * The caller of a bearer token. An API key has the current scopes of its application; an access token has those of its
 * granted scopes that the application still holds (docs/reference/authentication.md#access-tokens). Fails with
 * `unauthenticated`, `account_suspended`, `workspace_unavailable`, and `workspace_suspended` for a write.
 */
export const callerOf = (
  { credential, application, workspace }: PresentedCredential,
  purpose: "read" | "write",
  now: Instant
): Either.Either<Caller, Refusal> => {
  const grant = credential._tag === "ApiKey" ? grantOfKey(credential.apiKey) : grantOfToken(credential, now)
  if (typeof grant === "string") return unauthenticated(grant)
  if (application === undefined || workspace === undefined) {
    return unauthenticated("This credential's application does not exist any more.")
  }
  const { credentialId, granted } = grant
  const scopes = granted === "all" ? application.scopes : currentScopes(granted, application)
  return Either.map(mayCall(application, workspace, purpose), () => ({ application, workspace, scopes, credentialId }))
}

/** Refuses callers of a suspended application or workspace (docs/reference/authentication.md#suspended-workspaces). */
const mayCall = (
  application: Application,
  workspace: Workspace,
  purpose: "read" | "write"
): Either.Either<null, Refusal> => {
  if (application.status === "suspended") return Either.left(refuse("account_suspended"))
  if (workspace.status === "unavailable") return Either.left(refuse("workspace_unavailable"))
  if (workspace.status === "suspended" && purpose === "write") return Either.left(refuse("workspace_suspended"))
  return Either.right(null)
}

/** The caller of a request in this process, without a credential. Fails like {@link mayCall}. */
export const inProcessCaller = (
  application: Application,
  workspace: Workspace,
  purpose: "read" | "write",
  { unlimited }: { readonly unlimited: boolean }
): Either.Either<Caller, Refusal> =>
  Either.map(mayCall(application, workspace, purpose), () => ({
    application,
    workspace,
    scopes: application.scopes,
    credentialId: null,
    unlimited
  }))

/** The scopes that a credential grants. */
interface Grant {
  readonly credentialId: string
  readonly granted: ReadonlyArray<Scope> | "all"
}

/** The grant, or the message of the refusal. */
const grantOfKey = (apiKey: ApiKey | undefined): Grant | string =>
  apiKey === undefined || apiKey.revokedAt !== null
    ? "This credential is not valid. It may have been revoked or mistyped."
    : { credentialId: apiKey.id, granted: "all" }

const grantOfToken = (
  { accessToken, client }: Extract<PresentedCredential["credential"], { readonly _tag: "AccessToken" }>,
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
