import { Cause, Clock, Effect, Exit, Option } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import { clientNetwork } from "../../kernel/clientNetwork.js"
import { lruCache } from "../../kernel/lruCache.js"
import type { Instant } from "../../model/Instant.js"
import { hashOf } from "./Credential.js"
import { noteToken, type RefusedToken } from "./RateBuckets.js"

/** Limits guesses of credentials by client address (docs/reference/rate-limits.md#failed-attempts). */
export interface FailedAttempts {
  /**
   * Runs the check of a credential. Each check that fails with `unauthenticated` takes a token of the address. Without
   * a token, `check` does not run, and the result is `rate_limited`. A credential that recently succeeded from the same
   * address is always checked. Null: there is no credential to guess, and no limit. Visitors' credentials are
   * remembered apart, because anyone can create many of them.
   */
  readonly limit: <A, E>(
    address: string,
    credential: string | null,
    check: Effect.Effect<A, E | Refusal>,
    of?: "callers" | "visitors"
  ) => Effect.Effect<A, E | Refusal>
  /** The refusal of a caller's credential that {@link limit} would not check; null if it would. */
  readonly knownRefusal: (address: string, credential: string, now: Instant) => RefusedToken | null
}

/** Failed attempts of one client address. */
export interface FailedAttemptLimits {
  /** Failed attempts in a row. */
  readonly burst: number
  readonly perMinute: number
}

export const defaultFailedAttemptLimits: FailedAttemptLimits = { burst: 600, perMinute: 60 }

/** Addresses, and credentials that succeeded, of which a process keeps track. */
const maxTracked = 10_000

/** How long a credential that succeeded is always checked, from its last use: one day. */
const rememberedMs = 24 * 60 * 60_000

/**
 * Checks in progress per address of credentials that are not remembered. Their failures may exceed the burst; the
 * address then waits longer.
 */
const maxPending = 1_000

interface Bucket {
  /** May be negative, after failures in parallel. */
  tokens: number
  pending: number
  at: Instant
}

/**
 * Creates the limits of one process. All checks of credentials share one, so that an address cannot guess more by using
 * several interfaces.
 *
 * @example
 * ```ts
 * const attempts = makeFailedAttempts()
 * const caller = attempts.limit(address, token, access.authenticate(token, "read"))
 * ```
 */
export const makeFailedAttempts = ({
  burst,
  perMinute
}: FailedAttemptLimits = defaultFailedAttemptLimits): FailedAttempts => {
  const buckets = lruCache<Bucket>(maxTracked)
  /** When credentials last succeeded, by the hash of network and credential. */
  const remembered = {
    callers: lruCache<Instant>(maxTracked),
    visitors: lruCache<Instant>(maxTracked)
  }

  const refill = (bucket: Bucket, now: Instant): Bucket => {
    bucket.tokens = Math.min(burst, bucket.tokens + (Math.max(0, now - bucket.at) * perMinute) / 60_000)
    bucket.at = now
    return bucket
  }

  const bucketOf = (network: string, now: Instant): Bucket => {
    const bucket = refill(buckets.get(network) ?? { tokens: burst, pending: 0, at: now }, now)
    buckets.set(network, bucket)
    return bucket
  }

  const isClosed = ({ pending, tokens }: Bucket): boolean => tokens < 1 || pending >= maxPending

  const refused = ({ tokens }: Bucket, now: Instant): RefusedToken => {
    const seconds = Math.max(1, Math.ceil(((1 - tokens) * 60) / perMinute))
    return {
      token: { granted: false, limit: burst, remaining: 0, openedAt: now, resetAt: now + seconds * 1_000 },
      refusal: refuse("rate_limited", {}, `Too many failed attempts to authenticate. Try again in ${seconds} s.`)
    }
  }

  const fingerprintOf = (network: string, credential: string): string => hashOf(`${network} ${credential}`)

  const isRemembered = (succeeded: ReturnType<typeof lruCache<Instant>>, fingerprint: string, now: Instant): boolean =>
    now - (succeeded.get(fingerprint) ?? Number.NEGATIVE_INFINITY) < rememberedMs

  return {
    knownRefusal: (address, credential, now) => {
      const network = clientNetwork(address)
      const bucket = buckets.get(network)
      // Most addresses have tokens: the hash is only needed without one.
      if (bucket === undefined || !isClosed(refill(bucket, now))) return null
      return isRemembered(remembered.callers, fingerprintOf(network, credential), now) ? null : refused(bucket, now)
    },
    limit: (address, credential, check, of = "callers") =>
      credential === null
        ? check
        : Effect.flatMap(Clock.currentTimeMillis, (now) => {
            const network = clientNetwork(address)
            const succeeded = remembered[of]
            const fingerprint = fingerprintOf(network, credential)
            const fail = (bucket: Bucket) => {
              bucket.tokens -= 1
              succeeded.delete(fingerprint)
            }
            if (isRemembered(succeeded, fingerprint, now)) {
              succeeded.set(fingerprint, now)
              return Effect.tapErrorCause(check, (cause) =>
                Effect.sync(() => {
                  if (isUnauthenticated(cause)) fail(bucketOf(network, now))
                })
              )
            }
            const bucket = bucketOf(network, now)
            if (isClosed(bucket)) {
              const { refusal, token } = refused(bucket, now)
              return Effect.zipRight(noteToken(token), refusal)
            }
            return Effect.acquireUseRelease(
              Effect.sync(() => {
                bucket.pending += 1
              }),
              () => check,
              (_, exit) =>
                Effect.sync(() => {
                  bucket.pending -= 1
                  if (Exit.isSuccess(exit)) succeeded.set(fingerprint, now)
                  else if (isUnauthenticated(exit.cause)) fail(bucket)
                })
            )
          })
  }
}

const isUnauthenticated = (cause: Cause.Cause<unknown>): boolean => {
  const error = Option.getOrNull(Cause.failureOption(cause))
  return typeof error === "object" && error !== null && "code" in error && error.code === "unauthenticated"
}
