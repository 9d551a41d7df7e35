import type { RateToken, RateTokenRequest } from "@parley/core"

/** The token requests of one batch for one bucket. */
interface Bucket {
  readonly bucket: string
  now: number
  limit: number
  windowMs: number
  count: number
  /** The number of tokens taken from the window so far, while the requests of the batch are answered. */
  used: number
  openedAt: number
}

/** A bucket after the requests of a batch. `asked` also counts the requests that were refused. */
export interface BucketAfter {
  readonly bucket: string
  readonly openedAt: number
  readonly asked: number
}

/** The combined token requests of a batch. */
export interface TokenBatch {
  /** The statement's parameter, sorted by bucket name so that concurrent batches cannot deadlock. */
  readonly json: string
  /**
   * The result of one request. Call it in the order of the requests: the tokens of a window are granted in that order.
   */
  readonly tokenOf: (after: ReadonlyArray<BucketAfter>) => (tokenRequest: RateTokenRequest) => RateToken
}

export const batchTokenRequests = (requests: ReadonlyArray<RateTokenRequest>): TokenBatch => {
  const buckets = new Map<string, Bucket>()
  for (const { bucket: name, limit, now, windowMs } of requests) {
    const bucket = buckets.get(name)
    if (bucket === undefined) {
      buckets.set(name, { bucket: name, now, limit, windowMs, count: 1, used: 0, openedAt: now })
    } else {
      bucket.now = Math.max(bucket.now, now)
      bucket.limit = Math.max(bucket.limit, limit)
      bucket.windowMs = windowMs
      bucket.count++
    }
  }
  return {
    json: JSON.stringify([...buckets.values()].sort((one, other) => (one.bucket < other.bucket ? -1 : 1))),
    tokenOf: (after) => {
      for (const { asked, bucket: name, openedAt } of after) {
        const bucket = buckets.get(name)
        if (bucket === undefined) continue
        bucket.used = asked - bucket.count
        bucket.openedAt = openedAt
      }
      return ({ bucket: name, limit, windowMs }) => {
        const bucket = buckets.get(name) as Bucket
        const granted = bucket.used < limit
        if (granted) bucket.used++
        return {
          granted,
          limit,
          remaining: Math.max(0, limit - bucket.used),
          openedAt: bucket.openedAt,
          resetAt: bucket.openedAt + windowMs
        }
      }
    }
  }
}
