import type { Draw, Drawn } from "@parley/core"

/** The draws of one moment from one bucket. */
interface Bucket {
  readonly bucket: string
  now: number
  limit: number
  windowMs: number
  count: number
  /** Tokens of the window that are gone, while its draws are answered. */
  used: number
  openedAt: number
}

/** A bucket as it is after the draws of a batch: `asked` counts also those that it had no token for. */
export interface BucketAfter {
  readonly bucket: string
  readonly openedAt: number
  readonly asked: number
}

/** The draws of a batch, together. */
export interface Draws {
  /** What the statement takes, in the order of the buckets' names, so that batches do not wait in a circle. */
  readonly json: string
  /** What one of the draws came to, asked in their order: a window's tokens are granted by position. */
  readonly drawnOf: (after: ReadonlyArray<BucketAfter>) => (draw: Draw) => Drawn
}

export const drawTogether = (draws: ReadonlyArray<Draw>): Draws => {
  const buckets = new Map<string, Bucket>()
  for (const { bucket: name, limit, now, windowMs } of draws) {
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
    drawnOf: (after) => {
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
