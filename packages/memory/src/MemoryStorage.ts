import {
  type Changes,
  ChangesRejected,
  type CommitError,
  type CommitOutcome,
  type Lookups,
  type Page,
  type ReadResult,
  Storage,
  type TableName,
  Wakeup
} from "@parley/core"
import { lanesToWake } from "@parley/sql"
import { Effect, Layer } from "effect"
import { claimJobs } from "./claimJobs.js"
import { commit } from "./commit.js"
import { queueDepths, workByApplication } from "./counts.js"
import { beginAttempt, postponeJobs, releaseLeases, renewLeases } from "./leases.js"
import { list, listColumns, listContacts, listConversations, listJobs, listTemplates, lookUp } from "./lists.js"
import type { MemoryDatabase } from "./MemoryDatabase.js"
import * as Wakeups from "./MemoryWakeup.js"
import { purge } from "./purge.js"
import { refundToken, reserveSlot, takeToken } from "./rates.js"
import type { Row } from "./storableRow.js"

/**
 * A storage on a database in memory. Each operation happens at one point in time, without waiting. Commits send hints
 * through `wakeup`.
 */
export const memoryStorage = (database: MemoryDatabase, wakeup: Wakeup): Storage => {
  const found = <Q extends Lookups>(queries: Q): ReadResult<Q> => {
    const rows: { [name: string]: ReadonlyArray<Row> } = {}
    for (const name in queries) {
      const lookup = queries[name] ?? null
      rows[name] = lookup === null ? [] : lookUp(database, lookup.from, lookup.where as Row)
    }
    return rows as unknown as ReadResult<Q>
  }
  const listPage = (page: Page<TableName>) => Effect.sync(() => list(database, page))
  const listPageColumns = (page: Page<TableName>, columns: ReadonlyArray<string>) =>
    Effect.sync(() => listColumns(database, page, columns))
  return Storage.of({
    commit: (changes) => commitAndHint(database, wakeup, changes),
    read: (queries) => Effect.sync(() => found(queries)),
    readAndTakeToken: (queries, request) =>
      Effect.sync(() => ({ found: found(queries), rateToken: takeToken(database, request) })),
    list: listPage as Storage["list"],
    listColumns: listPageColumns as Storage["listColumns"],
    listContacts: (filter, page) => Effect.sync(() => listContacts(database, filter, page)),
    listTemplates: (filter, page) => Effect.sync(() => listTemplates(database, filter, page)),
    listConversations: (filter, after, limit) => Effect.sync(() => listConversations(database, filter, after, limit)),
    listJobs: (filter, after, limit) => Effect.sync(() => listJobs(database, filter, after, limit)),
    takeToken: (request) => Effect.sync(() => takeToken(database, request)),
    takeTokens: (requests) => Effect.sync(() => requests.map((request) => takeToken(database, request))),
    refundToken: (bucket, openedAt) => Effect.sync(() => refundToken(database, bucket, openedAt)),
    reserveSlot: (reservation) => Effect.sync(() => reserveSlot(database, reservation)),
    claimJobs: (request) => Effect.sync(() => claimJobs(database, request)),
    renewLeases: (leases, until) => Effect.sync(() => renewLeases(database, leases, until)),
    beginAttempt: (begun) => Effect.sync(() => beginAttempt(database, begun)),
    releaseLeases: (leases) => Effect.sync(() => releaseLeases(database, leases)),
    postponeJobs: (postponed) => Effect.sync(() => postponeJobs(database, postponed)),
    queueDepths: (now, leaseMs) => Effect.sync(() => queueDepths(database, now, leaseMs)),
    workByApplication: (now, top) => Effect.sync(() => workByApplication(database, now, top)),
    purge: (table, before, limit, from = null) => Effect.sync(() => purge(database, table, { before, limit, from })),
    check: Effect.sync(() => ({ clock: database.clock() }))
  })
}

const commitAndHint = (
  database: MemoryDatabase,
  wakeup: Wakeup,
  changes: Changes
): Effect.Effect<CommitOutcome, CommitError> =>
  Effect.clockWith((clock) => {
    let outcome: CommitOutcome
    try {
      outcome = commit(database, changes)
    } catch (cause) {
      return Effect.fail(new ChangesRejected({ cause }))
    }
    const lanes = lanesToWake([changes], [outcome], clock.unsafeCurrentTimeMillis())
    return lanes.size > 0 ? Effect.as(wakeup.notify(lanes), outcome) : Effect.succeed(outcome)
  })

/** The storage and the hints of one process. */
export const layer = (database: MemoryDatabase): Layer.Layer<Storage | Wakeup> =>
  Layer.effect(
    Storage,
    Effect.map(Wakeup, (wakeup) => memoryStorage(database, wakeup))
  ).pipe(Layer.provideMerge(Wakeups.layer(database)))
