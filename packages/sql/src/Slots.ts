import type { Instant, ReadError, Reservation, Storage } from "@parley/core"
import { Effect, type Scope } from "effect"
import { batchReservations } from "./batchReservations.js"
import * as Coalescer from "./Coalescer.js"
import type { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { runStatement } from "./runStatement.js"

/**
 * Reserves slots in batches: one statement for all concurrent reservations. A separate coalescer, so that reads do not
 * wait for reservations.
 */
export const make = (database: Database, dialect: Dialect): Effect.Effect<Storage["reserveSlot"], never, Scope.Scope> =>
  Coalescer.makeSerial<Reservation, Instant, ReadError>((batch) =>
    Effect.suspend(() => {
      const { json, slotOf } = batchReservations(batch)
      return Effect.map(runStatement(database, dialect, dialect.reserve(json)), (after) => batch.map(slotOf(after)))
    })
  )
