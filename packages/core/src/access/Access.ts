import { Clock, Context, Effect, Either, Layer } from "effect"
import { type Refusal, refuse } from "../errors/Refusal.js"
import { makeHints } from "../Hints.js"
import type { Instant } from "../Instant.js"
import { type Found, lookup, lookupById, type ReadError, Storage } from "../ports/Storage.js"
import { noteRequest } from "../requests/currentRequest.js"
import type { ApiKey, Application } from "./Application.js"
import type { Caller } from "./Caller.js"
import { hashOf, isAccessToken } from "./Credential.js"
import { callerOf, type Presented } from "./callerOf.js"
import type { AccessToken } from "./OAuthClient.js"
import { countedRequest, requestDraw } from "./RateBuckets.js"

/** Finds out who calls. */
export interface Access {
  /**
   * The caller behind a bearer token, as of now: revocation, suspension and narrowed scopes show at once, on every host.
   * Refuses with `unauthenticated`, `account_suspended`, `workspace_unavailable`, and `workspace_suspended` for a write.
   * Whoever shows a valid credential is the request's requester from then on, let in or not.
   */
  readonly authenticate: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
  /**
   * The same, with one request counted on the application's bucket: also refuses with `rate_limited`. Who is not let in is
   * not counted.
   */
  readonly admit: (token: string | null, purpose: "read" | "write") => Effect.Effect<Caller, Refusal | ReadError>
}
export const Access = Context.GenericTag<Access>("@parley/core/Access")

const noCredential = refuse(
  "unauthenticated",
  {},
  "Send an API key or an access token as `Authorization: Bearer <credential>`."
)

/** What was known of a credential when it was last seen. */
interface Known {
  readonly lookups: ReturnType<typeof lookupsOf>
  readonly application: Pick<Application, "id" | "requestsPerMinute">
}

const make = Effect.map(Storage, (storage): Access => {
  const hints = makeHints<Known>()

  /** What the rows of a credential tell, found with a hint or without; the second read is for whose it turned out to be. */
  const callerFrom = (
    rows: Rows,
    credential: Credential,
    purpose: "read" | "write",
    now: Instant
  ): Effect.Effect<Caller, Refusal | ReadError> => {
    const owner = rows.apiKeys[0] ?? rows.accessTokens[0]
    if (owner === undefined || rows.applications[0]?.id === owner.applicationId) {
      return identified(rows, callerOf(presented(rows, credential), purpose, now))
    }
    const lookups = lookupsOf(credential, owner)
    return Effect.flatMap(storage.read(lookups), (found) =>
      Effect.map(identified(found, callerOf(presented(found, credential), purpose, now)), (caller) => {
        hints.set(credential.hash, { lookups, application: caller.application })
        return caller
      })
    )
  }

  const count = (caller: Caller, now: Instant) =>
    Effect.flatMap(storage.takeToken(requestDraw(caller.application, now)), (drawn) => countedRequest(drawn, now))

  const authenticate = (credential: Credential, purpose: "read" | "write", now: Instant) => {
    const lookups = hints.get(credential.hash)?.lookups ?? lookupsOf(credential, null)
    return Effect.flatMap(storage.read(lookups), (rows) => callerFrom(rows, credential, purpose, now))
  }

  /** Of a credential that was seen before, the request is drawn with the read that tells whether it is still good. */
  const admit = (credential: Credential, purpose: "read" | "write", now: Instant) => {
    const known = hints.get(credential.hash)
    if (known === undefined) {
      return Effect.tap(authenticate(credential, purpose, now), (caller) => count(caller, now))
    }
    const draw = requestDraw(known.application, now)
    return Effect.flatMap(storage.readAndTakeToken(known.lookups, draw), ({ drawn, found }) =>
      Effect.matchEffect(callerFrom(found, credential, purpose, now), {
        onFailure: (error) => {
          // It was not this application's request after all, and the next one is not drawn before that is known.
          hints.forget(credential.hash)
          const giveBack = drawn.granted ? storage.giveBackToken(draw.bucket, drawn.openedAt) : Effect.void
          return Effect.zipRight(giveBack, Effect.fail(error))
        },
        onSuccess: (caller) => {
          if (caller.application.requestsPerMinute === draw.limit) return Effect.as(countedRequest(drawn, now), caller)
          hints.set(credential.hash, { ...known, application: caller.application })
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
            // Found by its hash: nothing about the key itself can be learned from how long the look-up takes.
            use({ hash: hashOf(token), isToken: isAccessToken(token) }, purpose, now)
          )
  return { authenticate: withCredential(authenticate), admit: withCredential(admit) }
})

/** A bearer token as it is looked up. */
interface Credential {
  readonly hash: string
  readonly isToken: boolean
}

/** The key or token of this hash, with those that it belongs to, as far as is known. */
const lookupsOf = ({ hash, isToken }: Credential, owner: ApiKey | AccessToken | null) => ({
  apiKeys: isToken ? null : lookup("apiKeys", { hash }),
  accessTokens: isToken ? lookup("accessTokens", { hash }) : null,
  clients: lookupById("oauthClients", owner !== null && "oauthClientId" in owner ? owner.oauthClientId : null),
  applications: lookupById("applications", owner?.applicationId),
  workspaces: lookupById("workspaces", owner?.workspaceId)
})

type Rows = Found<ReturnType<typeof lookupsOf>>

const presented = (rows: Rows, { isToken }: Credential): Presented => ({
  credential: isToken
    ? { _tag: "AccessToken", accessToken: rows.accessTokens[0], client: rows.clients[0] }
    : { _tag: "ApiKey", apiKey: rows.apiKeys[0] },
  application: rows.applications[0],
  workspace: rows.workspaces[0]
})

/** Remembers whose request it is, for the log. */
const identified = (
  { applications: [application] }: Rows,
  caller: Either.Either<Caller, Refusal>
): Effect.Effect<Caller, Refusal> => {
  if (application === undefined || (Either.isLeft(caller) && caller.left.code === "unauthenticated")) return caller
  const { id: applicationId, workspaceId } = application
  const noted = noteRequest((request) => {
    request.requester = { applicationId, workspaceId }
  })
  return Effect.zipRight(noted, caller)
}

export const layer: Layer.Layer<Access, never, Storage> = Layer.effect(Access, make)
