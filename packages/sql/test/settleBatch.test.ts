import { describe, expect, it } from "@effect/vitest"
import { type Changes, CommitOutcome, changes, expect as expects, remove, row, set, type TableName } from "@parley/core"
import { aContact, aConversation, aJob, anIdempotencyRecord, someApplicationId } from "@parley/testkit/rows"
import { FastCheck } from "effect"
import { planBatch, uniqueOf } from "../src/planBatch.js"
import { settleBatch } from "../src/settleBatch.js"
import type { Row } from "../src/Tables.js"
import { tableOf, textOf } from "../src/Tables.js"

/** A database as maps: rows by the text of their key. */
type Database = Map<TableName, Map<string, Row>>

const rowsOf = (database: Database, name: TableName): Map<string, Row> => {
  let rows = database.get(name)
  if (rows === undefined) {
    rows = new Map()
    database.set(name, rows)
  }
  return rows
}
const insert = (database: Database, name: TableName, inserted: Row) => {
  const table = tableOf(name)
  const text = textOf(table.key, inserted)
  expect(rowsOf(database, name).has(text)).toBe(false)
  expect(isTaken(database, name, inserted)).toBe(false)
  rowsOf(database, name).set(text, { ...inserted })
}
const isTaken = (database: Database, name: TableName, wanted: Row): boolean => {
  const unique = uniqueOf(tableOf(name))
  return [...rowsOf(database, name).values()].some((there) => textOf(unique, there) === textOf(unique, wanted))
}
const copy = (database: Database): Database =>
  new Map([...database].map(([name, rows]) => [name, new Map([...rows].map(([key, row]) => [key, { ...row }]))]))
const plain = (database: Database) =>
  Object.fromEntries(
    [...database].filter(([, rows]) => rows.size > 0).map(([name, rows]) => [name, Object.fromEntries(rows)])
  )

/** The reference: applies one commit. */
const commitAlone = (database: Database, batch: Changes): CommitOutcome => {
  const find = (name: TableName, key: object) => rowsOf(database, name).get(textOf(tableOf(name).key, key as Row))
  if (batch.settle !== null && find("jobs", { id: batch.settle.jobId })?.epoch !== batch.settle.epoch) {
    return CommitOutcome.Fenced()
  }
  const seen = new Set<string>()
  for (const claim of batch.claims) {
    const wanted = claim.row as unknown as Row
    const text = claim.table + textOf(uniqueOf(tableOf(claim.table)), wanted)
    if (seen.has(text) || isTaken(database, claim.table, wanted)) return CommitOutcome.Conflict({ lost: [] })
    seen.add(text)
  }
  for (const { key, table, where } of batch.expects) {
    const there = find(table, key)
    if (there === undefined) return CommitOutcome.Conflict({ lost: [] })
    for (const [column, value] of Object.entries(where)) {
      if (!(Array.isArray(value) ? value : [value]).includes(there[column])) return CommitOutcome.Conflict({ lost: [] })
    }
  }
  for (const claim of batch.claims) insert(database, claim.table, claim.row as unknown as Row)
  for (const { key, table, values } of batch.sets) {
    const there = find(table, key) as Row
    Object.assign(there, values, { version: (there.version as number) + 1 })
  }
  const bumped = batch.bumps.map((bump) => {
    const there = find(bump.table, { id: bump.id })
    if (there === undefined) return {}
    const after: { [column: string]: number } = {}
    for (const [column, value] of Object.entries(bump.greatest ?? {})) {
      after[column] = Math.max(there[column] as number, value)
    }
    for (const [column, value] of Object.entries(bump.add ?? {})) after[column] = (there[column] as number) + value
    for (const [column, value] of Object.entries(bump.reset ?? {})) after[column] = value
    Object.assign(there, after)
    return after
  })
  for (const { key, table } of batch.deletes) rowsOf(database, table).delete(textOf(tableOf(table).key, key as Row))
  for (const { row, table } of batch.inserts) insert(database, table, row as unknown as Row)
  if (batch.settle !== null) {
    const { again, epoch, jobId } = batch.settle
    if (again === null) rowsOf(database, "jobs").delete(jobId)
    else Object.assign(find("jobs", { id: jobId }) as Row, again, { leaseUntil: 0, leaseOwner: null, epoch: epoch + 1 })
  }
  return CommitOutcome.Committed({ bumped })
}

/** Applies a batch by `settleBatch` and the statements around it. */
const commitTogether = (database: Database, batch: ReadonlyArray<Changes>) => {
  const needs = planBatch(batch)
  const claimed = new Map<TableName, Set<string>>()
  for (const [name, { first }] of needs.claims) {
    const inserted = new Set<string>()
    for (const [text, wanted] of first) {
      if (isTaken(database, name, wanted)) continue
      insert(database, name, wanted)
      inserted.add(text)
    }
    claimed.set(name, inserted)
  }
  const rows = new Map<TableName, Map<string, Row>>()
  for (const [name, { columns, keys }] of needs.locks) {
    const found = new Map<string, Row>()
    for (const text of keys.keys()) {
      const there = rowsOf(database, name).get(text)
      if (there !== undefined)
        found.set(text, Object.fromEntries([...columns].map((column) => [column, there[column]])))
    }
    rows.set(name, found)
  }
  const { outcomes, writes } = settleBatch(batch, needs, { claimed, rows, skipped: new Map() })
  for (const [name, gone] of writes.deletes) {
    for (const key of gone) expect(rowsOf(database, name).delete(textOf(tableOf(name).key, key))).toBe(true)
  }
  for (const [name, fresh] of writes.inserts) for (const one of fresh) insert(database, name, one)
  for (const { columns, rows, table } of writes.updates.values()) {
    for (const one of rows) {
      const there = rowsOf(database, table.name).get(textOf(table.key, one)) as Row
      for (const column of columns) there[column] = one[column]
    }
  }
  return outcomes
}

const withoutNames = (outcome: { readonly _tag: string }) =>
  outcome._tag === "Conflict" ? CommitOutcome.Conflict({ lost: [] }) : outcome

const id = (n: number) => `01900000-0000-7000-8000-${`${n}`.padStart(12, "0")}`
const workspaceId = id(0)
const record = (key: number, body = "{}") => anIdempotencyRecord({ key: `key-${key}`, body })

const start = (): Database => {
  const database: Database = new Map()
  for (const n of [1, 2, 3]) insert(database, "contacts", aContact({ id: id(n) }) as unknown as Row)
  insert(database, "idempotency", record(0) as unknown as Row)
  insert(database, "conversations", aConversation({ id: id(11), handle: "h0" }) as unknown as Row)
  for (const n of [21, 22]) insert(database, "jobs", aJob({ id: id(n), epoch: 1 }) as unknown as Row)
  return database
}

const small = FastCheck.nat(3)
const few = { maxLength: 2 }
const version = FastCheck.option(FastCheck.constantFrom(1, 2, [1, 2], [2, 3]), { nil: undefined })
const contact = FastCheck.integer({ min: 1, max: 4 }).map(id)

/** Conflicting commits: few keys, of which some rows exist and some do not. */
const commits = FastCheck.array(
  FastCheck.record({
    records: FastCheck.array(small, few),
    handles: FastCheck.array(small, few),
    contacts: FastCheck.uniqueArray(
      FastCheck.tuple(contact, version, FastCheck.constantFrom("set", "keep", "delete")),
      {
        ...few,
        selector: ([key]) => key
      }
    ),
    freed: FastCheck.option(FastCheck.tuple(small, FastCheck.constantFrom("set", "delete")), { nil: undefined }),
    bumps: FastCheck.array(
      FastCheck.tuple(
        contact,
        FastCheck.constantFrom("greatest", "add", "reset"),
        FastCheck.integer({ min: -5, max: 5 })
      ),
      few
    ),
    settle: FastCheck.option(
      FastCheck.tuple(FastCheck.integer({ min: 21, max: 23 }), FastCheck.constantFrom(1, 2), FastCheck.boolean()),
      { nil: undefined }
    )
  }),
  { maxLength: 6 }
).map((drafts) =>
  drafts.map((decoded, index) => {
    const freed =
      decoded.freed === undefined ? undefined : { applicationId: someApplicationId, key: `key-${decoded.freed[0]}` }
    const key = (contactId: string) => ({ id: contactId })
    return changes(workspaceId, {
      claims: [
        ...decoded.records.map((n) => row("idempotency", record(n, `{"from":${index}}`))),
        ...decoded.handles.map((n, nth) =>
          row("conversations", aConversation({ id: id(100 + index * 10 + nth), handle: `h${n}` }))
        )
      ],
      expects: [
        ...decoded.contacts.map(([of, wanted]) =>
          expects("contacts", key(of), wanted === undefined ? {} : { version: wanted })
        ),
        ...(freed === undefined ? [] : [expects("idempotency", freed)])
      ],
      sets: [
        ...decoded.contacts
          .filter(([, , what]) => what === "set")
          .map(([of]) => set("contacts", key(of), { firstName: `by ${index}` })),
        ...(decoded.freed?.[1] === "set" ? [set("idempotency", freed as never, { state: "awaiting" })] : [])
      ],
      deletes: [
        ...decoded.contacts.filter(([, , what]) => what === "delete").map(([of]) => remove("contacts", key(of))),
        ...(decoded.freed?.[1] === "delete" ? [remove("idempotency", freed as never)] : [])
      ],
      bumps: decoded.bumps.map(([of, kind, by]) => ({
        table: "contacts" as const,
        id: of,
        [kind]: { lastActivityAt: kind === "add" ? by : 1_780_000_000_000 + by }
      })),
      inserts: [row("jobs", aJob({ id: id(200 + index) }))],
      settle:
        decoded.settle === undefined
          ? null
          : {
              jobId: id(decoded.settle[0]),
              epoch: decoded.settle[1],
              again: decoded.settle[2] ? { runAt: 5, lane: "retries" as const, payload: { tries: index } } : null
            }
    })
  })
)

describe("settleBatch", () => {
  it("equals applying the commits one by one", { timeout: 60_000 }, () =>
    FastCheck.assert(
      FastCheck.property(commits, (batch) => {
        const one = start()
        const other = copy(one)
        const outcomes = batch.map((changes) => withoutNames(commitAlone(one, changes)))
        expect(commitTogether(other, batch).map(withoutNames)).toEqual(outcomes)
        expect(plain(other)).toEqual(plain(one))
      }),
      { numRuns: 2_000 }
    )
  )

  it("gives a claim to the next commit if the first fails for another reason", () => {
    const database = start()
    const claim = row("idempotency", record(9, "first"))
    const outcomes = commitTogether(database, [
      changes(workspaceId, { claims: [claim], expects: [expects("contacts", { id: id(1) }, { version: 7 })] }),
      changes(workspaceId, { claims: [row("idempotency", record(9, "second"))] })
    ])
    expect(outcomes).toEqual([
      CommitOutcome.Conflict({ lost: [`contacts:${id(1)}`] }),
      CommitOutcome.Committed({ bumped: [] })
    ])
    expect([...rowsOf(database, "idempotency").values()].map(({ body }) => body)).toEqual(["{}", "second"])
  })

  it("gives a claim the row that an earlier commit deleted", () => {
    const database = start()
    const { applicationId, key } = record(0)
    const outcomes = commitTogether(database, [
      changes(workspaceId, {
        expects: [expects("idempotency", { applicationId, key })],
        deletes: [remove("idempotency", { applicationId, key })]
      }),
      changes(workspaceId, { claims: [row("idempotency", record(0, "again"))] })
    ])
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Committed", "Committed"])
    expect([...rowsOf(database, "idempotency").values()].map(({ body }) => body)).toEqual(["again"])
  })

  it("gives a claim the unique values of a row that was claimed and deleted before", () => {
    const database = start()
    const claim = (n: number) => row("conversations", aConversation({ id: id(n), handle: "h9" }))
    const outcomes = commitTogether(database, [
      changes(workspaceId, { claims: [claim(31)] }),
      changes(workspaceId, { claims: [claim(32)] }),
      changes(workspaceId, {
        expects: [expects("conversations", { id: id(31) })],
        deletes: [remove("conversations", { id: id(31) })]
      }),
      changes(workspaceId, { claims: [claim(33)] })
    ])
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Committed", "Conflict", "Committed", "Committed"])
    expect([...rowsOf(database, "conversations").keys()]).toEqual([id(11), id(33)])
  })

  it("is fenced rather than in conflict if both apply", () => {
    const outcomes = commitTogether(start(), [
      changes(workspaceId, {
        expects: [expects("contacts", { id: id(1) }, { version: 7 })],
        settle: { jobId: id(21), epoch: 0, again: null }
      })
    ])
    expect(outcomes).toEqual([CommitOutcome.Fenced()])
  })

  it("fences a job that is postponed twice under one lease", () => {
    const postpone = changes(workspaceId, {
      settle: { jobId: id(21), epoch: 1, again: { runAt: 5, lane: "retries", payload: null } }
    })
    expect(commitTogether(start(), [postpone, postpone]).map(({ _tag }) => _tag)).toEqual(["Committed", "Fenced"])
  })

  it("defers commits that need a row locked by another transaction", () => {
    const batch = [1, 2].map((n) =>
      changes(workspaceId, { bumps: [{ table: "contacts", id: id(n), add: { lastActivityAt: 1 } }] })
    )
    const contacts = new Map([[id(2), { id: id(2), lastActivityAt: 5 }]])
    const { outcomes, writes } = settleBatch(batch, planBatch(batch), {
      claimed: new Map(),
      rows: new Map([["contacts", contacts]]),
      skipped: new Map([["contacts", new Set([id(1)])]])
    })
    expect(outcomes).toEqual([{ _tag: "Deferred" }, CommitOutcome.Committed({ bumped: [{ lastActivityAt: 6 }] })])
    expect([...writes.updates.values()].map(({ rows }) => rows)).toEqual([[{ id: id(2), lastActivityAt: 6 }]])
  })

  it("defers commits whose expected row or job is locked by another transaction", () => {
    const expecting = changes(workspaceId, { expects: [expects("contacts", { id: id(1) })] })
    const settling = changes(workspaceId, { settle: { jobId: id(21), epoch: 1, again: null } })
    const other = changes(workspaceId, { expects: [expects("contacts", { id: id(2) })] })
    const elsewhere = changes(workspaceId, { expects: [expects("conversations", { id: id(11) })] })
    const batch = [expecting, settling, other, elsewhere]
    const world = {
      claimed: new Map(),
      rows: new Map<TableName, ReadonlyMap<string, Row>>([
        ["contacts", new Map([[id(2), { id: id(2) }]])],
        ["conversations", new Map([[id(11), { id: id(11) }]])]
      ]),
      skipped: new Map<TableName, ReadonlySet<string>>([
        ["contacts", new Set([id(1)])],
        ["jobs", new Set([id(21)])]
      ])
    }
    expect(settleBatch(batch, planBatch(batch), world).outcomes.map(({ _tag }) => _tag)).toEqual([
      "Deferred",
      "Deferred",
      "Committed",
      "Committed"
    ])
  })

  it("loses every claim that the database did not insert", () => {
    const batch = [changes(workspaceId, { claims: [row("idempotency", record(9))] })]
    const world = { claimed: new Map(), rows: new Map(), skipped: new Map() }
    const { outcomes, writes } = settleBatch(batch, planBatch(batch), world)
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Conflict"])
    expect([writes.deletes.size, writes.inserts.size]).toEqual([0, 0])
  })

  it("names the rows of a conflict by table and key", () => {
    const record0 = `idempotency:${textOf(uniqueOf(tableOf("idempotency")), record(0) as unknown as Row)}`
    const [outcome] = commitTogether(start(), [
      changes(workspaceId, {
        claims: [row("idempotency", record(0)), row("idempotency", record(0))],
        expects: [expects("contacts", { id: id(4) }), expects("contacts", { id: id(1) }, { version: 7 })]
      })
    ])
    expect(outcome).toEqual(
      CommitOutcome.Conflict({ lost: [record0, record0, `contacts:${id(4)}`, `contacts:${id(1)}`] })
    )
  })

  it("refuses changes of rows that are not expected, and conditions on JSON columns", () => {
    const commit = (parts: Parameters<typeof changes>[1]) => () =>
      commitTogether(start(), [changes(workspaceId, parts)])
    const unexpected = "A row of contacts is changed without being expected"
    expect(commit({ sets: [set("contacts", { id: id(4) }, { firstName: "Ada" })] })).toThrow(unexpected)
    expect(commit({ deletes: [remove("contacts", { id: id(4) })] })).toThrow(unexpected)
    expect(commit({ deletes: [remove("conversations", { id: id(11) })] })).toThrow("A row of conversations is changed")
    const contact = { id: id(1) }
    const twice = [remove("contacts", contact), remove("contacts", contact)]
    expect(commit({ expects: [expects("contacts", contact)], deletes: twice })).toThrow(unexpected)
    expect(commit({ expects: [expects("contacts", { id: id(1) }, { tags: [] as never })] })).toThrow(
      "contacts.tags cannot be a condition"
    )
  })

  it("treats a missing value as null in a condition", () => {
    const expecting = (where: object) =>
      changes(workspaceId, { expects: [expects("conversations", { id: id(11) }, where as never)] })
    const outcomes = commitTogether(start(), [
      expecting({ assignedUserId: null }),
      expecting({ assignedUserId: undefined }),
      expecting({ assignedUserId: id(5) })
    ])
    expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Committed", "Committed", "Conflict"])
  })

  /** Settles a batch on the stored contacts and conversations, with the columns that it reads. */
  const writesOf = (...batch: ReadonlyArray<Parameters<typeof changes>[1]>) => {
    const all = batch.map((parts) => changes(workspaceId, parts))
    const needs = planBatch(all)
    const database = start()
    const rows = new Map(
      [...needs.locks].map(([name, { columns, keys }]) => [
        name,
        new Map(
          [...keys.keys()].map((text) => {
            const there = rowsOf(database, name).get(text) ?? {}
            return [text, Object.fromEntries([...columns].map((column) => [column, there[column]]))]
          })
        )
      ])
    )
    return settleBatch(all, needs, { claimed: new Map(), rows, skipped: new Map() }).writes
  }

  it("updates each changed row once, together with rows that change the same columns", () => {
    const updates = (...batch: ReadonlyArray<Parameters<typeof changes>[1]>) =>
      [...writesOf(...batch).updates.values()].map(({ columns, rows, table }) => [
        table.name,
        columns,
        rows.map((one) => one.id)
      ])
    const named = (n: number, firstName: string) => ({ sets: [set("contacts", { id: id(n) }, { firstName })] })
    expect(updates(named(1, "Ada"), named(1, "Eve"), named(2, "Bob"))).toEqual([
      ["contacts", ["firstName", "version"], [id(1), id(2)]]
    ])
    expect(updates(named(1, "Ada"), { sets: [set("contacts", { id: id(2) }, { lastName: "Hopper" })] })).toEqual([
      ["contacts", ["firstName", "version"], [id(1)]],
      ["contacts", ["lastName", "version"], [id(2)]]
    ])
    const fully = (n: number, values: object) => ({ sets: [set("contacts", { id: id(n) }, values)] })
    expect(
      updates(fully(1, { firstName: "Ada", lastName: "L" }), fully(2, { lastName: "H", firstName: "Grace" }))
    ).toEqual([["contacts", ["firstName", "lastName", "version"], [id(1), id(2)]]])
  })

  it("puts a job back without a lease, under the next epoch, at the subject and with the failure given", () => {
    const again = { runAt: 5, lane: "retries" as const, payload: { tries: 1 } }
    const writtenFor = (more: object) =>
      [...writesOf({ settle: { jobId: id(21), epoch: 1, again: { ...again, ...more } } }).updates.values()].map(
        ({ columns, rows: [row] }) => Object.fromEntries(columns.map((column) => [column, row?.[column]]))
      )
    const unleased = { ...again, failure: null, leaseUntil: 0, leaseOwner: null, epoch: 2 }
    expect(writtenFor({})).toStrictEqual([unleased])
    const failure = { lane: "retries", count: 1, since: 4, error: "the database is away" }
    expect(writtenFor({ subject: id(9), failure })).toStrictEqual([{ ...unleased, subject: id(9), failure }])
  })

  it("raises the version of a changed row if its table has one", () => {
    const key = { workspaceId, space: "phone" as const, handle: "+1" }
    const writes = writesOf({
      expects: [expects("addresses", key)],
      sets: [set("addresses", key, { contactId: id(2) }), set("contacts", { id: id(1) }, { firstName: "Ada" })]
    })
    expect([...writes.updates.values()].map(({ columns, rows }) => [columns, rows.map((one) => one.version)])).toEqual([
      [["contactId"], [undefined]],
      [["firstName", "version"], [2]]
    ])
  })

  it("updates nothing for a bump that changes no value", () => {
    const stored = aContact().lastActivityAt
    const bump = { table: "contacts" as const, id: id(1) }
    expect(writesOf({ bumps: [{ ...bump, greatest: { lastActivityAt: stored } }] }).updates.size).toBe(0)
    expect(writesOf({ bumps: [{ ...bump, greatest: { lastActivityAt: stored + 1 } }] }).updates.size).toBe(1)
  })

  it("lists contacts again only if they are deleted or a listed column changes", () => {
    const relisted = (parts: Parameters<typeof changes>[1]) =>
      writesOf(parts).relisted.map(({ after, before }) => [before.id, after === null ? null : after.tags])
    expect(relisted({ sets: [set("contacts", { id: id(1) }, { tags: ["vip"] })] })).toEqual([[id(1), ["vip"]]])
    expect(relisted({ sets: [set("contacts", { id: id(1) }, { firstName: "Ada" })] })).toEqual([])
    expect(relisted({ expects: [expects("contacts", { id: id(1) })] })).toEqual([])
    expect(relisted({ deletes: [remove("contacts", { id: id(1) })] })).toEqual([[id(1), null]])
    const conversation = { id: id(11) }
    expect(
      relisted({ expects: [expects("conversations", conversation)], deletes: [remove("conversations", conversation)] })
    ).toEqual([])
  })

  it("deletes a stored row once, and inserts and ensures rows in the order of the commits", () => {
    const key = { id: id(1) }
    const job = (n: number) => row("jobs", aJob({ id: id(n) }))
    const writes = writesOf(
      { expects: [expects("contacts", key)], deletes: [remove("contacts", key)], inserts: [job(31)] },
      { inserts: [job(32)], ensures: [job(33)] },
      { ensures: [job(34)] }
    )
    expect(writes.deletes.get("contacts")?.map((one) => one.id)).toEqual([id(1)])
    expect(writes.inserts.get("jobs")?.map((one) => one.id)).toEqual([id(31), id(32)])
    expect(writes.ensures.get("jobs")?.map((one) => one.id)).toEqual([id(33), id(34)])
  })
})
