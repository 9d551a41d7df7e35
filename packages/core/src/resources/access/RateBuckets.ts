import { Clock, Context, Effect } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { clientNetwork } from "../../kernel/clientNetwork.js"
import { lruCache } from "../../kernel/lruCache.js"
import type { Application } from "../../model/Application.js"
import type { Instant } from "../../model/Instant.js"
import { type RateToken, type RateTokenRequest, type ReadError, Storage } from "../../ports/Storage.js"
import { noteRequest } from "../requestLog/currentRequest.js"

/**
 * Takes tokens of the rate-limit buckets (docs/reference/rate-limits.md#buckets). An empty bucket fails with
 * `rate_limited`.
 */
export interface RateBuckets {
  /** One request without a valid credential; bucket by client IP. */
  readonly anonymous: (clientAddress: string) => Effect.Effect<RateToken, Refusal | ReadError>
  /**
   * One request of an administrator; bucket by client IP. It is not the bucket of requests without a credential, so
   * that those cannot lock administrators out.
   */
  readonly administrator: (clientAddress: string) => Effect.Effect<RateToken, Refusal | ReadError>
  /** One request to the token endpoint; bucket by client IP. */
  readonly token: (clientAddress: string) => Effect.Effect<RateToken, Refusal | ReadError>
  /** The refusal of a bucket that is known to be empty; null if only the storage knows. */
  readonly knownRefusal: (bucket: AddressBucket, clientAddress: string, now: Instant) => RefusedToken | null
  /**
   * Refunds the token of a send that was a replay, or was refused before the check of the sends bucket
   * (docs/reference/rate-limits.md#tokens-that-are-returned).
   */
  readonly refundSend: (application: Application, rateToken: RateToken) => Effect.Effect<void, ReadError>
}
export const RateBuckets = Context.GenericTag<RateBuckets>("@parley/core/RateBuckets")

/** A token that was not granted, for the response headers, with the refusal. */
export interface RefusedToken {
  readonly token: RateToken
  readonly refusal: Refusal
}

const windowMs = 60_000

/**
 * Requests per minute and client IP without a valid credential
 * (docs/reference/rate-limits.md#requests-without-a-credential).
 */
export const anonymousLimit = 600

/** Requests of administrators per minute and client IP. */
const administratorLimit = 600

/** Token requests per minute and client IP (docs/reference/rate-limits.md#token-requests). */
export const tokenRequestLimit = 30

/** The rate token that one request of an application takes. */
export const requestRateToken = (
  application: Pick<Application, "id" | "requestsPerMinute">,
  now: Instant
): RateTokenRequest => ({
  bucket: `requests:${application.id}`,
  limit: application.requestsPerMinute,
  windowMs,
  now
})

/** Notes the token for the response headers. Fails with `rate_limited` if it was not granted. */
export const requireRequestToken = (result: RateToken, now: Instant): Effect.Effect<RateToken, Refusal> =>
  requireToken(result, "requests", now)

const sendsOf = ({ id }: Application): string => `sends:${id}`

/** The rate token that one send of an application takes, in addition to that of its request. */
export const sendRateToken = (application: Application, now: Instant): RateTokenRequest => ({
  bucket: sendsOf(application),
  limit: application.sendsPerMinute,
  windowMs,
  now
})

/** Notes the token for the response headers. */
export const noteToken = (token: RateToken): Effect.Effect<void> =>
  noteRequest((request) => {
    request.rateTokens = [...request.rateTokens, token]
  })

const requireToken = (result: RateToken, what: string, now: Instant): Effect.Effect<RateToken, Refusal> =>
  Effect.zipRight(noteToken(result), result.granted ? Effect.succeed(result) : Effect.fail(tooMany(result, what, now)))

/** The `rate_limited` refusal of the sends bucket. */
export const tooManySends = (token: RateToken, now: Instant): Refusal => tooMany(token, "sends", now)

/** The buckets by client network, which the caller cannot vary at will (docs/reference/rate-limits.md#buckets). */
const addressBuckets = {
  anonymous: { prefix: "address", limit: anonymousLimit, what: "requests" },
  administrator: { prefix: "administrator", limit: administratorLimit, what: "requests" },
  token: { prefix: "tokens", limit: tokenRequestLimit, what: "token requests" }
} as const
type AddressBucket = keyof typeof addressBuckets

/** Empty buckets of which a process keeps track. */
const maxEmpty = 10_000

export const make = Effect.map(Storage, (storage): RateBuckets => {
  /**
   * The tokens that buckets of client networks refused. Tokens of these are never returned, so that the bucket stays
   * empty until its window ends. A flood of refused requests then costs no statements.
   */
  const emptyBuckets = lruCache<RateToken>(maxEmpty)

  const bucketOf = (kind: AddressBucket, clientAddress: string): string =>
    `${addressBuckets[kind].prefix}:${clientNetwork(clientAddress)}`

  const knownRefusal = (kind: AddressBucket, clientAddress: string, now: Instant): RefusedToken | null => {
    const token = emptyBuckets.get(bucketOf(kind, clientAddress))
    // Long before its window, the clock was set back: the storage knows whether a window has begun anew.
    return token !== undefined && now < token.resetAt && now >= token.openedAt - windowMs
      ? { token, refusal: tooMany(token, addressBuckets[kind].what, now) }
      : null
  }

  const takeOf =
    (kind: AddressBucket) =>
    (clientAddress: string): Effect.Effect<RateToken, Refusal | ReadError> =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => {
        const known = knownRefusal(kind, clientAddress, now)
        if (known !== null) return Effect.zipRight(noteToken(known.token), known.refusal)
        const { limit, what } = addressBuckets[kind]
        const bucket = bucketOf(kind, clientAddress)
        return Effect.flatMap(storage.takeToken({ bucket, limit, windowMs, now }), (token) => {
          if (!token.granted) emptyBuckets.set(bucket, token)
          return requireToken(token, what, now)
        })
      })

  return {
    anonymous: takeOf("anonymous"),
    administrator: takeOf("administrator"),
    token: takeOf("token"),
    knownRefusal,
    refundSend: (application, token) =>
      Effect.zipRight(
        noteRequest((request) => {
          request.rateTokens = request.rateTokens.filter((one) => one !== token)
        }),
        token.granted ? storage.refundToken(sendsOf(application), token.openedAt) : Effect.void
      )
  }
})

const tooMany = ({ limit, resetAt }: RateToken, what: string, now: Instant): Refusal => {
  const seconds = Math.max(1, Math.ceil((resetAt - now) / 1000))
  return refuse("rate_limited", {}, `Too many ${what}: at most ${limit} a minute. Try again in ${seconds} s.`)
}
