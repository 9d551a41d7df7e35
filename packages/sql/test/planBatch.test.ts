import { describe, expect, it } from "@effect/vitest"
import { type Changes, changes, check, expect as expects, remove, row, set, type TableName } from "@parley/core"
import { aConversation, anIdempotencyRecord } from "@parley/testkit/rows"
import { listedColumns } from "../src/contactLists.js"
import { planBatch } from "../src/planBatch.js"

const id = (n: number) => `01900000-0000-7000-8000-${`${n}`.padStart(12, "0")}`
const workspaceId = id(0)
const plan = (...batch: ReadonlyArray<Parameters<typeof changes>[1]>) => {
  const { claims, locks, written } = planBatch(batch.map((parts): Changes => changes(workspaceId, parts)))
  return {
    claims: Object.fromEntries([...claims].map(([name, { first }]) => [name, [...first.values()]])),
    unique: (name: TableName) => claims.get(name)?.unique.map((column) => column.name),
    /** By table, the keys of the locked rows and the columns to read. */
    locks: Object.fromEntries(
      [...locks].map(([name, { columns, keys }]) => [name, { keys: [...keys.values()], columns: [...columns].sort() }])
    ),
    written: [...written].sort()
  }
}

describe("planBatch", () => {
  it("has the first claim of each row only", () => {
    const record = (key: string, body: string) => row("idempotency", anIdempotencyRecord({ key, body }))
    const { claims, locks, unique, written } = plan(
      { claims: [record("a", "first"), record("b", "other")] },
      { claims: [record("a", "second")] }
    )
    expect(claims.idempotency?.map(({ body }) => body)).toEqual(["first", "other"])
    expect(unique("idempotency")).toEqual(["applicationId", "key"])
    expect([locks, written]).toEqual([{}, []])
  })
  it("tells claims apart by their unique columns, which may not be the key", () => {
    const conversation = (n: number, handle: string) => row("conversations", aConversation({ id: id(n), handle }))
    const { claims, unique } = plan({ claims: [conversation(1, "+1"), conversation(2, "+1"), conversation(3, "+2")] })
    expect(claims.conversations?.map((one) => one.id)).toEqual([id(1), id(3)])
    expect(unique("conversations")).toContain("handle")
    expect(unique("conversations")).not.toContain("id")
  })
  it("locks expected rows with the columns of their conditions, and writes nothing", () => {
    const { locks, written } = plan(
      { expects: [expects("contacts", { id: id(1) }, { version: 2 }), expects("contacts", { id: id(2) })] },
      { expects: [expects("contacts", { id: id(1) }, { optedOut: false })] }
    )
    expect(locks).toEqual({
      contacts: { keys: [{ id: id(1) }, { id: id(2) }], columns: ["id", "optedOut", "version"] }
    })
    expect(written).toEqual([])
  })
  it("locks the rows of unlocked expects only beside locked ones of their table", () => {
    const batch = (parts: Parameters<typeof changes>[1]) => changes(workspaceId, parts)
    const [checks, locks] = [
      batch({ expects: [check("endpoints", { id: id(1) }, { consecutiveFailures: 0 })] }),
      batch({ expects: [expects("endpoints", { id: id(2) })] })
    ]
    const unlocked = (...all: ReadonlyArray<Changes>) => planBatch(all).locks.get("endpoints")?.unlocked
    expect([unlocked(checks), unlocked(checks, checks)]).toEqual([true, true])
    expect([unlocked(locks), unlocked(checks, locks), unlocked(locks, checks)]).toEqual([false, false, false])
  })
  it("locks changed rows of tables with a version only", () => {
    const address = { workspaceId, space: "phone" as const, handle: "+1" }
    const { locks, written } = plan({
      sets: [
        set("addresses", address, { contactId: id(2) }),
        set("contacts", { id: id(1) }, { firstName: "Ada" }),
        set("conversations", { id: id(2) }, { status: "closed" })
      ]
    })
    expect(locks).toEqual({
      contacts: { keys: [{ id: id(1) }], columns: ["id", "version"] },
      conversations: { keys: [{ id: id(2) }], columns: ["id", "version"] }
    })
    expect(written).toEqual(["addresses", "contacts", "conversations"])
  })
  it("reads the listed columns of contacts whose lists change or that are deleted", () => {
    const withListed = (...more: ReadonlyArray<string>) => [...new Set(["id", ...listedColumns, ...more])].sort()
    const tagged = plan({ sets: [set("contacts", { id: id(1) }, { tags: ["vip"] })] })
    expect(tagged.locks.contacts?.columns).toEqual(withListed("version"))
    const deleted = plan({ deletes: [remove("contacts", { id: id(1) })] })
    expect(deleted.locks).toEqual({ contacts: { keys: [{ id: id(1) }], columns: withListed() } })
    expect(deleted.written).toEqual(["contacts"])
    const other = plan({ deletes: [remove("conversations", { id: id(1) })] })
    expect([other.locks, other.written]).toEqual([{}, ["conversations"]])
  })
  it("reads the columns that a bump changes", () => {
    const bump = { table: "endpoints" as const, id: id(1) }
    const { locks, written } = plan({
      bumps: [
        { ...bump, add: { consecutiveFailures: 1 } },
        { table: "connections", id: id(2), greatest: { heldUntil: 5 }, add: { heldMs: 1 } },
        { table: "connections", id: id(3), reset: { heldMs: 0 } }
      ]
    })
    expect(locks).toEqual({
      endpoints: { keys: [{ id: id(1) }], columns: ["consecutiveFailures", "id"] },
      connections: { keys: [{ id: id(2) }, { id: id(3) }], columns: ["heldMs", "heldUntil", "id"] }
    })
    expect(written).toEqual(["connections", "endpoints"])
    expect(plan({ bumps: [{ ...bump, reset: { consecutiveFailures: 0 } }] }).locks.endpoints?.columns).toEqual([
      "consecutiveFailures",
      "id"
    ])
  })
  it("locks settled jobs with their epoch", () => {
    const { locks, written } = plan({ settle: { jobId: id(9), epoch: 1, again: null } })
    expect(locks).toEqual({ jobs: { keys: [{ id: id(9) }], columns: ["epoch", "id"] } })
    expect(written).toEqual(["jobs"])
  })
})
