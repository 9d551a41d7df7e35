import type { BegunAttempt, ReadError, Storage } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { heldOf, isHeld, leaseColumns, leaseRows, returningLeases } from "./leases.js"
import { runStatement } from "./runStatement.js"
import type { Column } from "./Tables.js"

const columns: ReadonlyArray<Column> = [
  ...leaseColumns,
  { name: "owner", sql: "owner", kind: "text" },
  { name: "attempt", sql: "attempt", kind: "integer" }
]

/** Stores attempts in batches: one statement for all that begin at the same time. */
export const make = (
  database: Database,
  dialect: Dialect
): Effect.Effect<Storage["beginAttempt"], never, Scope.Scope> => {
  const isOwned = `${isHeld} AND t.lease_owner = v."owner"`
  const begin = `${dialect.update(dialect.rows(1, columns, 0), "jobs", isOwned, 'attempts = v."attempt"')} ${returningLeases}`
  return Coalescer.makeSerial<BegunAttempt, boolean, ReadError>((batch) =>
    Effect.map(runStatement(database, dialect, { text: begin, parameters: [leaseRows(batch)] }), (returned) =>
      batch.map(heldOf(returned))
    )
  )
}
