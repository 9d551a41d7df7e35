import { type AnyLookup, type Lookups, type RateToken, Storage, StorageUnavailable, Wakeup } from "@parley/core"
import { Effect, Layer } from "effect"
import * as Attempts from "./Attempts.js"
import * as Commits from "./Commits.js"
import { Database } from "./Database.js"
import { Dialect } from "./Dialect.js"
import { purgedOf, purgeStatement } from "./history.js"
import * as JobQueue from "./JobQueue.js"
import * as Lists from "./Lists.js"
import { queueDepths } from "./queueDepths.js"
import * as Reads from "./Reads.js"
import { runStatement } from "./runStatement.js"
import { checkHealth } from "./Schema.js"
import * as Slots from "./Slots.js"
import * as Statements from "./Statements.js"
import { workByApplication } from "./workByApplication.js"

/** The storage on the connections of a database, with its dialect. The schema must have been migrated. */
export const make = Effect.gen(function* () {
  const database = yield* Database
  const dialect = yield* Dialect
  const wakeup = yield* Wakeup
  const statements = Statements.make(dialect)
  const commit = yield* Commits.make(database, dialect, statements, wakeup)
  const ask = yield* Reads.make(database, dialect, statements)
  const lists = yield* Lists.make(database, dialect, statements)
  const reserveSlot = yield* Slots.make(database, dialect)
  const beginAttempt = yield* Attempts.make(database, dialect)
  const p = dialect.parameter
  const refund = `UPDATE buckets SET used = used - 1 WHERE key = ${p(1)} AND opened_at = ${p(2)} AND used > 0`

  return Storage.of({
    commit,
    read: (queries) => Effect.map(ask(lookupsOf(queries), []), ({ rows }) => foundOf(queries, rows)),
    readAndTakeToken: (queries, tokenRequest) =>
      Effect.map(ask(lookupsOf(queries), [tokenRequest]), ({ rateTokens, rows }) => ({
        found: foundOf(queries, rows),
        rateToken: rateTokens[0] as RateToken
      })),
    ...lists,
    takeToken: (tokenRequest) => Effect.map(ask([], [tokenRequest]), ({ rateTokens }) => rateTokens[0] as RateToken),
    takeTokens: (tokenRequests) => Effect.map(ask([], tokenRequests), ({ rateTokens }) => rateTokens),
    refundToken: (bucket, openedAt) =>
      Effect.asVoid(runStatement(database, dialect, { text: refund, parameters: [bucket, openedAt] })),
    reserveSlot,
    beginAttempt,
    ...JobQueue.make(database, dialect),
    queueDepths: queueDepths(database, dialect),
    workByApplication: workByApplication(database, dialect),
    purge: (table, before, limit, from = null) =>
      Effect.map(runStatement(database, dialect, purgeStatement(dialect, table, before, limit, from)), purgedOf),
    check: Effect.mapError(checkHealth(database, dialect), (cause) => new StorageUnavailable({ cause }))
  })
})

const lookupsOf = (queries: Lookups): ReadonlyArray<AnyLookup | null> => Object.values(queries)

/** The rows of each lookup, by the name of the lookup. */
const foundOf = (queries: Lookups, rows: ReadonlyArray<ReadonlyArray<unknown>>): any => {
  const found: Record<string, unknown> = {}
  let i = 0
  for (const name of Object.keys(queries)) found[name] = rows[i++]
  return found
}

/** {@link make} as a layer. */
export const layer: Layer.Layer<Storage, never, Database | Dialect | Wakeup> = Layer.scoped(Storage, make)
