import type { SqlClient } from "@effect/sql/SqlClient"
import type { Instant, ReadError, Reservation, Storage } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Dialect } from "./Dialect.js"
import { reserveTogether } from "./reserveTogether.js"
import { single } from "./single.js"

/**
 * Reserves slots in batches: one statement for all that are wanted at a moment. It has a queue of its own, so that whoever
 * reads passes by none of this.
 */
export const make = (sql: SqlClient, dialect: Dialect): Effect.Effect<Storage["reserveSlot"], never, Scope.Scope> => {
  const run = (batch: ReadonlyArray<Reservation>) =>
    Effect.suspend(() => {
      const { json, slotOf } = reserveTogether(batch)
      return Effect.map(
        single(sql, dialect, (connection) => dialect.reserve(connection, json)),
        (after) => batch.map(slotOf(after)).map((slot) => Effect.succeed(slot))
      )
    })
  return Effect.map(
    Coalescer.make<Reservation, Instant, ReadError>({
      run,
      // All wait for the same few lines: a second batch would wait for the first one's locks.
      concurrency: 1,
      maxBatch: 500,
      maxWeight: 500,
      weigh: () => 1,
      capacity: 20_000,
      partition: () => ""
    }),
    ({ submit }) => submit
  )
}
