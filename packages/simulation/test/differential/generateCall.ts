import {
  type AnyLookup,
  type Changes,
  type ConversationFilter,
  ConversationStatus,
  changes,
  type Job,
  type Lookups,
  lookup,
  type PurgePosition,
  type Storage,
  type TableName
} from "@parley/core"
import type { MemoryDatabase, Row } from "@parley/memory"
import { idsFrom, type Table, tableOf, textOf } from "@parley/sql"
import { Effect, FastCheck as fc } from "effect"
import { generateCommit } from "./generateCommit.js"
import {
  anId,
  aTime,
  aValue,
  channels,
  type Generate,
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

const aCondition = (generate: Generate, database: MemoryDatabase, table: Table, max: number): Row => {
  const stored = [...database.table(table.name).all()]
  const row = stored.length === 0 ? null : oneOf(generate, stored)
  const columns = some(generate, max, () => oneOf(generate, table.columns)).filter(({ kind }) => kind !== "json")
  return Object.fromEntries(
    columns.map((column) => [
      column.name,
      row === null || once(generate, 4) ? aValue(generate, table, column) : row[column.name]
    ])
  )
}

const aRead = (generate: Generate, database: MemoryDatabase, names: ReadonlyArray<TableName>): Call =>
  readCall(
    Object.fromEntries(
      some(generate, 3, () => {
        const name = oneOf(generate, names)
        return once(generate, 6) ? null : lookup(name, aCondition(generate, database, tableOf(name), 2))
      }).map((query, i) => [`q${i}`, query])
    ) as Lookups
  )

const aPage = (generate: Generate, database: MemoryDatabase, names: ReadonlyArray<TableName>) => {
  const tables = names.map(tableOf).filter(({ column }) => column.has("id"))
  const table = tables.length === 0 ? tableOf("messages") : oneOf(generate, tables)
  const where = Object.fromEntries(
    Object.entries(aCondition(generate, database, table, 2)).map(([name, value]) => [
      name,
      once(generate, 3) ? [value, null, value] : value
    ])
  )
  return {
    table,
    page: {
      from: table.name,
      where: where as never,
      after: once(generate, 3) ? anId(generate) : null,
      ...(once(generate, 3) ? { since: aTime(generate) } : {}),
      ...(once(generate, 3) ? { notNull: oneOf(generate, table.columns).name as never } : {}),
      limit: oneOf(generate, [1, 2, 100])
    }
  }
}

const aPlace = (generate: Generate) => ({ offset: upTo(generate, 2), limit: oneOf(generate, [1, 100]) })

const maybe = <V>(generate: Generate, value: V): V | null => (once(generate, 3) ? value : null)

const aConversationFilter = (generate: Generate): ConversationFilter => {
  const filter = {
    connectionIds: once(generate, 2) ? some(generate, 3, () => anId(generate)) : null,
    contactId: maybe(generate, anId(generate)),
    status: maybe(generate, oneOf(generate, ConversationStatus.literals))
  }
  return {
    ...filter,
    ...(once(generate, 3) ? { workspaceId: anId(generate) } : {}),
    ...(once(generate, 4) ? { assignedUserId: "a" } : {}),
    ...(once(generate, 4) ? { assignedTeamId: "b" } : {})
  }
}

const aClaim = (generate: Generate, hasBounds: boolean): Call => {
  const lanes = generate(fc.subarray, [...lanesUsed])
  const bounds = () => ({
    except: once(generate, 3) ? generate(fc.subarray, subjects) : [],
    ...(hasBounds && once(generate, 2) ? { dueFrom: aTime(generate) } : {}),
    ...(hasBounds && once(generate, 2)
      ? { behind: generate(fc.subarray, subjects).map((subject) => ({ subject, dueFrom: aTime(generate) })) }
      : {})
  })
  return call("claimJobs", {
    now: aTime(generate),
    owner: oneOf(generate, ["one", "other"]),
    leaseMs: oneOf(generate, [1, 1_000]),
    ...(once(generate, 2) ? {} : { nextDueUntil: oneOf(generate, [null, aTime(generate)]) }),
    lanes: lanes.map((lane) => ({
      lane,
      limit: 1 + upTo(generate, 4),
      perSubject: 1 + upTo(generate, 2),
      ...(once(generate, 4) ? { except: [], only: generate(fc.subarray, subjects) } : bounds())
    }))
  })
}

const someLeases = (generate: Generate, database: MemoryDatabase, max: number) => {
  const jobs = [...database.table("jobs").all()] as unknown as ReadonlyArray<Job>
  const leases = some(generate, max, () => {
    const { epoch, id } = jobs.length === 0 ? { epoch: 0, id: anId(generate) } : oneOf(generate, jobs)
    return { jobId: id, epoch: epoch + (once(generate, 5) ? 1 : 0) }
  })
  return leases.filter(({ jobId }, i) => leases.findIndex((lease) => lease.jobId === jobId) === i)
}

const aToken = (generate: Generate, limit: number, now: number) => ({
  bucket: oneOf(generate, ["one", "other"]),
  limit,
  windowMs: 1_000,
  now
})

const aReservation = (generate: Generate, now: number) => ({
  key: oneOf(generate, ["one", "other"]),
  now,
  messages: 1 + upTo(generate, 6),
  per: oneOf(generate, [7, 1_000]),
  burst: 1 + upTo(generate, 3),
  behind: oneOf(generate, [0, 3_600_000])
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
const byTime = ["idempotency", "accessTokens", "endpoints", "providerMessages", "buckets", "sendSlots"] as const

const aPosition = (generate: Generate): PurgePosition | null => (once(generate, 3) ? idsFrom(aTime(generate)) : null)

/** A limit only where the rows have different ages: otherwise it is open which of them are deleted. */
const aPurge = (generate: Generate): Call =>
  once(generate, 2)
    ? call("purge", oneOf(generate, byId), aTime(generate), 1 + upTo(generate, 3), aPosition(generate))
    : call("purge", oneOf(generate, byTime), aTime(generate) + (once(generate, 4) ? 3_600_000 : 0), 1_000)

/** A call with parameters that mostly concern stored rows. `hasBounds`: claims may have bounds of due times. */
export const generateCall = (
  generate: Generate,
  database: MemoryDatabase,
  names: ReadonlyArray<TableName>,
  hasBounds: boolean
): Call => {
  const calls: ReadonlyArray<() => Call> = [
    () => aRead(generate, database, names),
    () => call("list", aPage(generate, database, names).page),
    () => {
      const { page, table } = aPage(generate, database, names)
      return call("listColumns", page, [
        ...new Set(some(generate, 3, () => oneOf(generate, table.columns).name)),
        "id"
      ] as never)
    },
    () =>
      call(
        "listContacts",
        {
          workspaceId: anId(generate),
          search: maybe(generate, oneOf(generate, ["", "a", "é", "\u{1f600}", "z z"])),
          searchAlso: maybe(generate, "b"),
          lifecycleStage: maybe(generate, oneOf(generate, ["a", "b"]) as never),
          tag: maybe(generate, oneOf(generate, ["VIP", "\u{1f600}"])),
          channel: maybe(generate, oneOf(generate, channels)),
          createdAfter: maybe(generate, aTime(generate))
        },
        aPlace(generate)
      ),
    () =>
      call(
        "listTemplates",
        { workspaceId: anId(generate), language: maybe(generate, "a"), status: maybe(generate, "b" as never) },
        aPlace(generate)
      ),
    () =>
      call(
        "listConversations",
        aConversationFilter(generate),
        maybe(generate, { lastActivityAt: aTime(generate), id: anId(generate) }),
        oneOf(generate, [1, 100])
      ),
    () =>
      call(
        "listJobs",
        { lane: oneOf(generate, lanesUsed), workspaceId: maybe(generate, anId(generate)) },
        maybe(generate, { dueAt: aTime(generate), id: anId(generate) }),
        oneOf(generate, [1, 100])
      ),
    () => call("takeToken", aToken(generate, upTo(generate, 4), aTime(generate))),
    () => {
      const at = aTime(generate)
      return call(
        "takeTokens",
        Array.from({ length: upTo(generate, 4) }, () => aToken(generate, 2, at))
      )
    },
    () => call("refundToken", oneOf(generate, ["one", "other"]), aTime(generate)),
    () => call("reserveSlot", aReservation(generate, aTime(generate))),
    () => aClaim(generate, hasBounds),
    () => aClaim(generate, hasBounds),
    () => call("renewLeases", someLeases(generate, database, 3), aTime(generate)),
    () => call("releaseLeases", someLeases(generate, database, 3)),
    () =>
      call("postponeJobs", {
        lane: oneOf(generate, lanesUsed),
        subject: oneOf(generate, subjects),
        field: "turn",
        behind: maybe(generate, aTime(generate)),
        notBefore: aTime(generate),
        dueBefore: aTime(generate),
        limit: 1 + upTo(generate, 2)
      }),
    () => call("queueDepths", aTime(generate), aTime(generate)),
    () => call("workByApplication", aTime(generate), oneOf(generate, [0, 1, 2, 100])),
    () => aPurge(generate),
    () => aPurge(generate)
  ]
  return once(generate, 2) ? call("commit", generateCommit(generate, database, names)) : oneOf(generate, calls)()
}

/** A call other than a commit whose effect and answer depend on calls beside it by their order only. */
const anAtomicCall = (
  generate: Generate,
  database: MemoryDatabase,
  names: ReadonlyArray<TableName>,
  now: number
): Call => {
  const calls: ReadonlyArray<() => Call> = [
    () => {
      const table = tableOf(oneOf(generate, names))
      return readCall({ found: lookup(table.name, aCondition(generate, database, table, 1)) as AnyLookup })
    },
    () => call("takeToken", aToken(generate, 2, now)),
    () => call("reserveSlot", aReservation(generate, now)),
    () => call("renewLeases", someLeases(generate, database, 1), aTime(generate)),
    () => call("releaseLeases", someLeases(generate, database, 1))
  ]
  return oneOf(generate, calls)()
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
 * that one ensures, since commits do not see these rows of their batch
 * (docs/reference/commits.md#settling-a-batch-in-memory).
 */
export const generateGroup = (
  generate: Generate,
  database: MemoryDatabase,
  names: ReadonlyArray<TableName>
): ReadonlyArray<Call> => {
  const now = aTime(generate)
  const commits = some(generate, 3, () => generateCommit(generate, database, names))
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
    ...some(generate, 2, () => anAtomicCall(generate, database, names, now))
  ].slice(0, maxGroup)
}

/** All orders of a group are tried. */
const maxGroup = 4
