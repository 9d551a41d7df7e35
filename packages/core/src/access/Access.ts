import { Clock, Context, Effect, Layer } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { makeHints } from "../Hints.js"
import { lookup, lookupById, type ReadError, Storage } from "../ports/Storage.js"
import type { ApiKey, Application } from "./Application.js"
import type { Caller } from "./Caller.js"
import { hashOf, isAccessToken } from "./Credential.js"
import { callerOf } from "./callerOf.js"
import type { AccessToken, OAuthClient } from "./OAuthClient.js"
import type { Workspace } from "./Workspace.js"

/** Finds out who calls. */
export interface Access {
  /**
   * The caller behind a bearer token, as of now: revocation, suspension and narrowed scopes show at once, on every host.
   * Refuses with `unauthenticated`, `account_suspended`, `workspace_unavailable`, and `workspace_suspended` for a write.
   */
  readonly authenticate: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
}
export const Access = Context.GenericTag<Access>("@parley/core/Access")

const noCredential = refuse(
  "unauthenticated",
  {},
  "Send an API key or an access token as `Authorization: Bearer <credential>`."
)

const make = Effect.map(Storage, (storage): Access => {
  const hints = makeHints()

  /** The key or token of this hash, with those that it is thought to belong to. */
  const read = (hash: string, isToken: boolean, owners: string | undefined) => {
    const [applicationId, workspaceId, clientId] = owners?.split(" ") ?? []
    return storage.read({
      apiKeys: isToken ? null : lookup("apiKeys", { hash }),
      accessTokens: isToken ? lookup("accessTokens", { hash }) : null,
      clients: lookupById("oauthClients", clientId),
      applications: lookupById("applications", applicationId),
      workspaces: lookupById("workspaces", workspaceId)
    })
  }
  // Without generators: every request comes this way.
  const authenticate = (token: string, purpose: "read" | "write"): Effect.Effect<Caller, Refusal | ReadError> => {
    // Found by its hash: nothing about the key itself can be learned from how long the look-up takes.
    const hash = hashOf(token)
    const isToken = isAccessToken(token)
    return Effect.flatMap(read(hash, isToken, hints.get(hash)), (hinted) => {
      const owner = hinted.apiKeys[0] ?? hinted.accessTokens[0]
      if (owner === undefined || hinted.applications[0]?.id === owner.applicationId)
        return admit(hinted, isToken, purpose)
      hints.set(hash, ownersOf(owner))
      return Effect.flatMap(read(hash, isToken, ownersOf(owner)), (found) => admit(found, isToken, purpose))
    })
  }
  return {
    authenticate: (token, purpose) =>
      token === null || token === "" ? Effect.fail(noCredential) : authenticate(token, purpose)
  }
})

/** The rows that tell who calls. */
interface Found {
  readonly apiKeys: ReadonlyArray<ApiKey>
  readonly accessTokens: ReadonlyArray<AccessToken>
  readonly clients: ReadonlyArray<OAuthClient>
  readonly applications: ReadonlyArray<Application>
  readonly workspaces: ReadonlyArray<Workspace>
}

const admit = (found: Found, isToken: boolean, purpose: "read" | "write") =>
  Effect.flatMap(Clock.currentTimeMillis, (now) =>
    callerOf(
      {
        credential: isToken
          ? { _tag: "AccessToken", accessToken: found.accessTokens[0], client: found.clients[0] }
          : { _tag: "ApiKey", apiKey: found.apiKeys[0] },
        application: found.applications[0],
        workspace: found.workspaces[0]
      },
      purpose,
      now
    )
  )

const ownersOf = (owner: ApiKey | AccessToken): string => {
  const { applicationId, workspaceId } = owner
  return "oauthClientId" in owner
    ? `${applicationId} ${workspaceId} ${owner.oauthClientId}`
    : `${applicationId} ${workspaceId}`
}

export const layer: Layer.Layer<Access, never, Storage> = Layer.effect(Access, make)
