import { Clock, Context, Effect, Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { isUuid } from "../../kernel/input/Fields.js"
import { lruCache } from "../../kernel/lruCache.js"
import type { ApiKey, Application } from "../../model/Application.js"
import type { Instant } from "../../model/Instant.js"
import type { AccessToken } from "../../model/OAuthClient.js"
import { lookup, lookupById, type ReadError, type ReadResult, readById, Storage } from "../../ports/Storage.js"
import { noteRequest } from "../requestLog/currentRequest.js"
import type { Caller } from "./Caller.js"
import { hashOf, isAccessToken } from "./Credential.js"
import { callerOf, inProcessCaller, type PresentedCredential } from "./callerOf.js"
import { requestRateToken, requireRequestToken } from "./RateBuckets.js"

/** Authenticates bearer tokens. */
export interface Access {
  /**
   * Returns the caller of a bearer token as of now: a revocation, a suspension or narrowed scopes take effect on the
   * next request, on every host. Fails with `unauthenticated`, `account_suspended`, `workspace_unavailable`, and
   * `workspace_suspended` for a write. A valid credential is noted as the requester of the request, even if the request
   * is refused.
   */
  readonly authenticate: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
  /**
   * Like `authenticate`, and takes one token of the application's requests bucket: also fails with `rate_limited`. A
   * refused caller takes no token.
   */
  readonly admit: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
  /**
   * The application itself as the caller, for code of the process that runs the engine: with all its scopes, and within
   * its limits only if `limited`. Fails like `admit`, and with `not_found` for an unknown id.
   */
  readonly admitInProcess: (
    application: InProcessCaller,
    purpose: "read" | "write"
  ) => Effect.Effect<Caller, Refusal | ReadError>
}

/** An application whose calls come from this process. */
export interface InProcessCaller {
  readonly applicationId: string
  /** Whether the application's rate limits apply. */
  readonly limited: boolean
}
export const Access = Context.GenericTag<Access>("@parley/core/Access")

const noCredential = refuse(
  "unauthenticated",
  {},
  "Send an API key or an access token as `Authorization: Bearer <credential>`."
)

/** What a credential resolved to on its last use. */
interface Known {
  readonly lookups: ReturnType<typeof lookupsOf>
  readonly application: Pick<Application, "id" | "requestsPerMinute">
}

export const make = Effect.map(Storage, (storage): Access => {
  const credentialCache = lruCache<Known>(10_000)

  /**
   * Resolves the caller. Reads once more if the first read did not include the application of the credential: the
   * credential is not cached.
   */
  const callerFrom = (
    rows: Rows,
    credential: Credential,
    purpose: "read" | "write",
    now: Instant
  ): Effect.Effect<Caller, Refusal | ReadError> => {
    const owner = rows.apiKeys[0] ?? rows.accessTokens[0]
    if (owner === undefined || rows.applications[0]?.id === owner.applicationId) {
      return identified(rows, callerOf(presentedCredential(rows, credential), purpose, now))
    }
    const lookups = lookupsOf(credential, owner)
    return Effect.flatMap(storage.read(lookups), (found) =>
      Effect.map(identified(found, callerOf(presentedCredential(found, credential), purpose, now)), (caller) => {
        credentialCache.set(credential.hash, { lookups, application: caller.application })
        return caller
      })
    )
  }

  const count = (caller: Caller, now: Instant) =>
    Effect.flatMap(storage.takeToken(requestRateToken(caller.application, now)), (rateToken) =>
      requireRequestToken(rateToken, now)
    )

  const authenticate = (credential: Credential, purpose: "read" | "write", now: Instant) => {
    const lookups = credentialCache.get(credential.hash)?.lookups ?? lookupsOf(credential, null)
    return Effect.flatMap(storage.read(lookups), (rows) => callerFrom(rows, credential, purpose, now))
  }

  /** For a cached credential, takes the request token in the same read that authenticates it. */
  const admit = (credential: Credential, purpose: "read" | "write", now: Instant) => {
    const known = credentialCache.get(credential.hash)
    if (known === undefined) {
      return Effect.tap(authenticate(credential, purpose, now), (caller) => count(caller, now))
    }
    const tokenRequest = requestRateToken(known.application, now)
    return Effect.flatMap(storage.readAndTakeToken(known.lookups, tokenRequest), ({ rateToken, found }) =>
      Effect.matchEffect(callerFrom(found, credential, purpose, now), {
        onFailure: (error) => {
          // The token was taken from the bucket that the cache named. Drop the cache entry, so that the next request
          // authenticates first.
          credentialCache.delete(credential.hash)
          const refund = rateToken.granted ? storage.refundToken(tokenRequest.bucket, rateToken.openedAt) : Effect.void
          return Effect.zipRight(refund, Effect.fail(error))
        },
        onSuccess: (caller) => {
          if (caller.application.requestsPerMinute === tokenRequest.limit)
            return Effect.as(requireRequestToken(rateToken, now), caller)
          credentialCache.set(credential.hash, { ...known, application: caller.application })
          return Effect.as(count(caller, now), caller)
        }
      })
    )
  }

  const withCredential =
    (
      use: (
        credential: Credential,
        purpose: "read" | "write",
        now: Instant
      ) => Effect.Effect<Caller, Refusal | ReadError>
    ) =>
    (token: string | null, purpose: "read" | "write") =>
      token === null || token === ""
        ? Effect.fail(noCredential)
        : Effect.flatMap(Clock.currentTimeMillis, (now) =>
            // Lookup by hash: its duration reveals nothing about the key.
            use({ hash: hashOf(token), isToken: isAccessToken(token) }, purpose, now)
          )

  /** Workspace id by application id. An application keeps its workspace. */
  const workspaceIds = lruCache<string>(10_000)

  const admitInProcess: Access["admitInProcess"] = ({ applicationId, limited }, purpose) =>
    Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const id = isUuid(applicationId) ? applicationId.toLowerCase() : undefined
      const found = yield* storage.read({
        applications: lookupById("applications", id),
        workspaces: lookupById("workspaces", workspaceIds.get(id ?? ""))
      })
      const [application] = found.applications
      if (application === undefined) return yield* refuse("not_found", {}, "No application has this id.")
      workspaceIds.set(application.id, application.workspaceId)
      const workspace = found.workspaces[0] ?? (yield* readById(storage, "workspaces", application.workspaceId))
      if (workspace === undefined) return yield* refuse("not_found", {}, "No application has this id.")
      yield* noteRequester(application)
      const caller = yield* inProcessCaller(application, workspace, purpose, { unlimited: !limited })
      return limited ? yield* Effect.as(count(caller, now), caller) : caller
    })

  return { authenticate: withCredential(authenticate), admit: withCredential(admit), admitInProcess }
})

/** The lookup key of a bearer token. */
interface Credential {
  readonly hash: string
  readonly isToken: boolean
}

/** The key or token of this hash, with its client, application and workspace if the owner is known. */
const lookupsOf = ({ hash, isToken }: Credential, owner: ApiKey | AccessToken | null) => ({
  apiKeys: isToken ? null : lookup("apiKeys", { hash }),
  accessTokens: isToken ? lookup("accessTokens", { hash }) : null,
  clients: lookupById("oauthClients", owner !== null && "oauthClientId" in owner ? owner.oauthClientId : null),
  applications: lookupById("applications", owner?.applicationId),
  workspaces: lookupById("workspaces", owner?.workspaceId)
})

type Rows = ReadResult<ReturnType<typeof lookupsOf>>

const presentedCredential = (rows: Rows, { isToken }: Credential): PresentedCredential => ({
  credential: isToken
    ? { _tag: "AccessToken", accessToken: rows.accessTokens[0], client: rows.clients[0] }
    : { _tag: "ApiKey", apiKey: rows.apiKeys[0] },
  application: rows.applications[0],
  workspace: rows.workspaces[0]
})

/** Notes the requester for the request log. */
const identified = (
  { applications: [application] }: Rows,
  caller: Either.Either<Caller, Refusal>
): Effect.Effect<Caller, Refusal> => {
  if (application === undefined || (Either.isLeft(caller) && caller.left.code === "unauthenticated")) return caller
  return Effect.zipRight(noteRequester(application), caller)
}

const noteRequester = ({ id: applicationId, workspaceId }: Application): Effect.Effect<void> =>
  noteRequest((request) => {
    request.requester = { applicationId, workspaceId }
  })
