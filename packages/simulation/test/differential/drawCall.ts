import {
  type AnyLookup,
  type Changes,
  type ConversationFilter,
  ConversationStatus,
  changes,
  type Job,
  type Lookups,
  lookup,
  type Storage,
  type TableName
} from "@parley/core"
import { type Table, tableOf, textOf } from "@parley/sql"
import { Effect, FastCheck as fc } from "effect"
import type { ModelDatabase } from "../../src/model/ModelDatabase.js"
import type { Row } from "../../src/model/storableRow.js"
import { drawCommit } from "./drawCommit.js"
import {
  anId,
  aTime,
  aValue,
  channels,
  type Draw,
  lanesUsed,
  once,
  oneOf,
  some,
  subjects,
  tableNames,
  upTo
} from "./values.js"

/** One call of the port. `run` returns what must be equal on all storages. */
export interface Call {
  readonly method: string
  readonly parameters: unknown
  readonly run: (storage: Storage) => Effect.Effect<unknown>
}

type Args<M extends keyof Storage> = Storage[M] extends (...args: infer A) => unknown ? A : never

type Failure = { readonly _tag: string }

/** The answer, or the tag of the failure. */
const answerOf = (answer: Effect.Effect<unknown, Failure>): Effect.Effect<unknown> =>
  Effect.catchAll(answer, ({ _tag }) => Effect.succeed({ failed: _tag }))

const call = <M extends Exclude<keyof Storage, "check">>(method: M, ...parameters: Args<M>): Call => ({
  method,
  parameters,
  run: (storage) => {
    const operation = storage[method] as unknown as (...args: Args<M>) => Effect.Effect<unknown, Failure>
    return answerOf(operation(...parameters))
  }
})

/** Inserts one row. */
export const insertOf = (table: TableName, row: Row): Call =>
  call("commit", changes("", { inserts: [{ table, row } as never] }))

/** The rows in the order of their keys, since reads have no order. */
const sorted = (table: Table, rows: ReadonlyArray<object>): ReadonlyArray<object> =>
  [...rows].sort((one, other) => (textOf(table.key, one as Row) < textOf(table.key, other as Row) ? -1 : 1))

const readCall = (lookups: Lookups): Call => ({
  method: "read",
  parameters: lookups,
  run: (storage) =>
    answerOf(
      Effect.map(storage.read(lookups), (found) =>
        Object.entries(lookups).map(([name, query]) =>
          query === null ? found[name] : sorted(tableOf(query.from), found[name] as ReadonlyArray<object>)
        )
      )
    )
})

/** Reads all rows of all tables. */
export const readAll: Call = readCall(
  Object.fromEntries(tableNames.map((name) => [name, lookup(name, {}) as AnyLookup]))
)

const aCondition = (draw: Draw, database: ModelDatabase, table: Table, max: number): Row => {
  const stored = [...database.table(table.name).all()]
  const row = stored.length === 0 ? null : oneOf(draw, stored)
  const columns = some(draw, max, () => oneOf(draw, table.columns)).filter(({ kind }) => kind !== "json")
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      row === null || once(draw, 4) ? aValue(draw, table, column) : row[column.name]
    ])
  )
}

const aRead = (draw: Draw, database: ModelDatabase, names: ReadonlyArray<TableName>): Call =>
  readCall(
    Object.fromEntries(
      some(draw, 3, () => {
        const name = oneOf(draw, names)
        return once(draw, 6) ? null : lookup(name, aCondition(draw, database, tableOf(name), 2))
      }).map((query, i) => [`q${i}`, query])
    ) as Lookups
  )

const aPage = (draw: Draw, database: ModelDatabase, names: ReadonlyArray<TableName>) => {
  const tables = names.map(tableOf).filter(({ column }) => column.has("id"))
  const table = tables.length === 0 ? tableOf("messages") : oneOf(draw, tables)
  const where = Object.fromEntries(
    Object.entries(aCondition(draw, database, table, 2)).map(([name, value]) => [
      name,
      once(draw, 3) ? [value, null, value] : value
    ])
  )
  return {
    table,
    page: {
      from: table.name,
      where: where as never,
      after: once(draw, 3) ? anId(draw) : null,
      ...(once(draw, 3) ? { since: aTime(draw) } : {}),
      limit: oneOf(draw, [1, 2, 100])
    }
  }
}

const aPlace = (draw: Draw) => ({ offset: upTo(draw, 2), limit: oneOf(draw, [1, 100]) })

const maybe = <V>(draw: Draw, value: V): V | null => (once(draw, 3) ? value : null)

const aConversationFilter = (draw: Draw): ConversationFilter => {
  const filter = {
    connectionIds: once(draw, 2) ? some(draw, 3, () => anId(draw)) : null,
    contactId: maybe(draw, anId(draw)),
    status: maybe(draw, oneOf(draw, ConversationStatus.literals))
  }
  return {
    ...filter,
    ...(once(draw, 3) ? { workspaceId: anId(draw) } : {}),
    ...(once(draw, 4) ? { assignedUserId: "a" } : {}),
    ...(once(draw, 4) ? { assignedTeamId: "b" } : {})
  }
}

const aClaim = (draw: Draw, hasBounds: boolean): Call => {
  const lanes = draw(fc.subarray, [...lanesUsed])
  return call("claimJobs", {
    now: aTime(draw),
    owner: oneOf(draw, ["one", "other"]),
    leaseMs: oneOf(draw, [1, 1_000]),
    ...(once(draw, 2) ? {} : { nextDueUntil: oneOf(draw, [null, aTime(draw)]) }),
    lanes: lanes.map((lane) => ({
      lane,
      limit: 1 + upTo(draw, 4),
      perSubject: 1 + upTo(draw, 2),
      except: once(draw, 3) ? draw(fc.subarray, subjects) : [],
      ...(hasBounds && once(draw, 2) ? { dueFrom: aTime(draw) } : {}),
      ...(hasBounds && once(draw, 2)
        ? { behind: draw(fc.subarray, subjects).map((subject) => ({ subject, dueFrom: aTime(draw) })) }
        : {})
    }))
  })
}

const someLeases = (draw: Draw, database: ModelDatabase, max: number) => {
  const jobs = [...database.table("jobs").all()] as unknown as ReadonlyArray<Job>
  const leases = some(draw, max, () => {
    const { epoch, id } = jobs.length === 0 ? { epoch: 0, id: anId(draw) } : oneOf(draw, jobs)
    return { jobId: id, epoch: epoch + (once(draw, 5) ? 1 : 0) }
  })
  return leases.filter(({ jobId }, i) => leases.findIndex((lease) => lease.jobId === jobId) === i)
}

const aToken = (draw: Draw, limit: number, now: number) => ({
  bucket: oneOf(draw, ["one", "other"]),
  limit,
  windowMs: 1_000,
  now
})

const aReservation = (draw: Draw, now: number) => ({
  key: oneOf(draw, ["one", "other"]),
  now,
  messages: 1 + upTo(draw, 6),
  per: oneOf(draw, [7, 1_000]),
  burst: 1 + upTo(draw, 3),
  behind: oneOf(draw, [0, 3_600_000])
})

const byId = [
  "events",
  "businessEvents",
  "deliveries",
  "attempts",
  "requestLog",
  "notifications",
  "unknownEvents",
  "workflowRuns",
  "botSessions"
] as const
const byTime = ["idempotency", "accessTokens", "providerMessages", "buckets", "sendSlots"] as const

/** A limit only where the rows have different ages: otherwise it is open which of them are deleted. */
const aPurge = (draw: Draw): Call =>
  once(draw, 2)
    ? call("purge", oneOf(draw, byId), aTime(draw), 1 + upTo(draw, 3))
    : call("purge", oneOf(draw, byTime), aTime(draw) + (once(draw, 4) ? 3_600_000 : 0), 1_000)

/** A call with parameters that mostly concern stored rows. `hasBounds`: claims may have bounds of due times. */
export const drawCall = (
  draw: Draw,
  database: ModelDatabase,
  names: ReadonlyArray<TableName>,
  hasBounds: boolean
): Call => {
  const calls: ReadonlyArray<() => Call> = [
    () => aRead(draw, database, names),
    () => call("list", aPage(draw, database, names).page),
    () => {
      const { page, table } = aPage(draw, database, names)
      return call("listColumns", page, [
        ...new Set(some(draw, 3, () => oneOf(draw, table.columns).name)),
        "id"
      ] as never)
    },
    () =>
      call(
        "listContacts",
        {
          workspaceId: anId(draw),
          search: maybe(draw, oneOf(draw, ["", "a", "é", "\u{1f600}", "z z"])),
          searchAlso: maybe(draw, "b"),
          lifecycleStage: maybe(draw, oneOf(draw, ["a", "b"]) as never),
          tag: maybe(draw, oneOf(draw, ["VIP", "\u{1f600}"])),
          channel: maybe(draw, oneOf(draw, channels)),
          createdAfter: maybe(draw, aTime(draw))
        },
        aPlace(draw)
      ),
    () =>
      call(
        "listTemplates",
        { workspaceId: anId(draw), language: maybe(draw, "a"), status: maybe(draw, "b" as never) },
        aPlace(draw)
      ),
    () =>
      call(
        "listConversations",
        aConversationFilter(draw),
        maybe(draw, { lastActivityAt: aTime(draw), id: anId(draw) }),
        oneOf(draw, [1, 100])
      ),
    () =>
      call(
        "listJobs",
        { lane: oneOf(draw, lanesUsed), workspaceId: maybe(draw, anId(draw)) },
        maybe(draw, { dueAt: aTime(draw), id: anId(draw) }),
        oneOf(draw, [1, 100])
      ),
    () => call("takeToken", aToken(draw, upTo(draw, 4), aTime(draw))),
    () => call("refundToken", oneOf(draw, ["one", "other"]), aTime(draw)),
    () => call("reserveSlot", aReservation(draw, aTime(draw))),
    () => aClaim(draw, hasBounds),
    () => aClaim(draw, hasBounds),
    () => call("renewLeases", someLeases(draw, database, 3), aTime(draw)),
    () => call("releaseLeases", someLeases(draw, database, 3)),
    () =>
      call("postponeJobs", {
        lane: oneOf(draw, lanesUsed),
        subject: oneOf(draw, subjects),
        field: "turn",
        behind: aTime(draw),
        notBefore: aTime(draw),
        dueBefore: aTime(draw),
        limit: 1 + upTo(draw, 2)
      }),
    () => call("queueDepths", aTime(draw), aTime(draw)),
    // Which of two applications with the same work comes first is left to the database.
    () => call("workByApplication", aTime(draw), 0),
    () => aPurge(draw),
    () => aPurge(draw)
  ]
  return once(draw, 2) ? call("commit", drawCommit(draw, database, names)) : oneOf(draw, calls)()
}

/** A call other than a commit whose effect and answer depend on calls beside it by their order only. */
const anAtomicCall = (draw: Draw, database: ModelDatabase, names: ReadonlyArray<TableName>, now: number): Call => {
  const calls: ReadonlyArray<() => Call> = [
    () => {
      const table = tableOf(oneOf(draw, names))
      return readCall({ found: lookup(table.name, aCondition(draw, database, table, 1)) as AnyLookup })
    },
    () => call("takeToken", aToken(draw, 2, now)),
    () => call("reserveSlot", aReservation(draw, now)),
    () => call("renewLeases", someLeases(draw, database, 1), aTime(draw)),
    () => call("releaseLeases", someLeases(draw, database, 1))
  ]
  return oneOf(draw, calls)()
}

const nameOf = (name: TableName, key: object) => `${name} ${textOf(tableOf(name).key, key as Row)}`

/** The rows that a commit locks. */
const lockedBy = ({ bumps, expects, settle }: Changes): ReadonlyArray<string> => [
  ...expects.map(({ key, table }) => nameOf(table, key)),
  ...bumps.map(({ id, table }) => nameOf(table, { id })),
  ...(settle === null ? [] : [nameOf("jobs", { id: settle.jobId })])
]

/**
 * Calls to carry out together, at one time: the adapters treat the tokens and slots of a moment as of the latest of
 * their times. No commit locks a row that one of them inserts or ensures, and none inserts a row
 * that one ensures, since commits do not see these rows of their batch (docs/reference/commits.md#settling-a-batch-in-memory).
 */
export const drawGroup = (
  draw: Draw,
  database: ModelDatabase,
  names: ReadonlyArray<TableName>
): ReadonlyArray<Call> => {
  const now = aTime(draw)
  const commits = some(draw, 3, () => drawCommit(draw, database, names))
  const locked = new Set(commits.flatMap(lockedBy))
  const ensured = new Set(commits.flatMap(({ ensures }) => ensures.map(({ row, table }) => nameOf(table, row))))
  type TableRow = { readonly table: TableName; readonly row: object }
  const isUnlocked = ({ row, table }: TableRow) => !locked.has(nameOf(table, row))
  const isFresh = ({ row, table }: TableRow) => !ensured.has(nameOf(table, row))
  return [
    ...commits.map((changes) =>
      call("commit", {
        ...changes,
        inserts: changes.inserts.filter((insert) => isUnlocked(insert) && isFresh(insert)),
        ensures: changes.ensures.filter(isUnlocked)
      })
    ),
    ...some(draw, 2, () => anAtomicCall(draw, database, names, now))
  ].slice(0, maxGroup)
}

/** All orders of a group are tried. */
const maxGroup = 4
