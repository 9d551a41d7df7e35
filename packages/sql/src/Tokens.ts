import type { SqlClient } from "@effect/sql/SqlClient"
import type { Draw, Drawn, ReadError } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Dialect } from "./Dialect.js"
import { single } from "./single.js"

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

/**
 * Draws tokens in batches: one upsert for all takers of a moment, in the order of the buckets' names, so that batches do
 * not wait in a circle. A window's tokens are granted by position.
 */
export const make = (
  sql: SqlClient,
  dialect: Dialect
): Effect.Effect<(draw: Draw) => Effect.Effect<Drawn, ReadError>, never, Scope.Scope> => {
  const draw = (json: string) => single(sql, dialect, (connection) => dialect.draw(connection, json))

  const run = (batch: ReadonlyArray<Draw>) =>
    Effect.suspend(() => {
      const buckets = new Map<string, Bucket>()
      for (const { bucket: name, limit, now, windowMs } of batch) {
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
      const sorted = [...buckets.values()].sort((one, other) => (one.bucket < other.bucket ? -1 : 1))
      return Effect.map(draw(JSON.stringify(sorted)), (rows) => {
        for (const { asked, bucket: name, openedAt } of rows) {
          const bucket = buckets.get(name)
          if (bucket === undefined) continue
          bucket.used = asked - bucket.count
          bucket.openedAt = openedAt
        }
        return batch.map((one) => {
          const bucket = buckets.get(one.bucket) as Bucket
          const granted = bucket.used < one.limit
          if (granted) bucket.used++
          return Effect.succeed<Drawn>({
            granted,
            limit: one.limit,
            remaining: Math.max(0, one.limit - bucket.used),
            openedAt: bucket.openedAt,
            resetAt: bucket.openedAt + one.windowMs
          })
        })
      })
    })

  return Effect.map(
    Coalescer.make<Draw, Drawn, ReadError>({
      run,
      ...dialect.tokens,
      maxBatch: 2_000,
      maxWeight: 2_000,
      weigh: () => 1,
      capacity: 20_000,
      partition: () => ""
    }),
    ({ submit }) => submit
  )
}
