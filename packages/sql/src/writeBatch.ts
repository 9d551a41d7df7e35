import type { SqlError } from "@effect/sql/SqlError"
import type { Changes, TableName } from "@parley/core"
import { Effect } from "effect"
import { contactFacets, contactSearch, listWrites } from "./contactLists.js"
import { runSteps, type Session, type Statement, type Step } from "./Database.js"
import type { Dialect, LockMode } from "./Dialect.js"
import { type BatchPlan, planBatch } from "./planBatch.js"
import type { Bulk, Statements, Work } from "./Statements.js"
import { type SettledBatch, settleBatch, type World } from "./settleBatch.js"
import { type Row, tables, textOf } from "./Tables.js"
import type { RoundTrips } from "./Transaction.js"

/**
 * Carries out a batch of commits in one transaction: inserts the claims, locks the rows, then writes the changes of the
 * successful commits. Tables and rows are visited in one fixed order, so that batches cannot deadlock with each other.
 */
export const writeBatch = (
  dialect: Dialect,
  statements: Statements,
  batch: ReadonlyArray<Changes>,
  mode: LockMode
): RoundTrips<SettledBatch, SqlError> => {
  const plan = planBatch(batch)
  const claimed = new Map<TableName, ReadonlySet<string>>()
  const rows = new Map<TableName, ReadonlyMap<string, Row>>()
  const settle = (skipped: World["skipped"]) => {
    const settled = settleBatch(batch, plan, { claimed, rows, skipped })
    return { value: settled, writes: writesOf(statements, settled.writes) }
  }
  return {
    first: [...claimSteps(statements, plan, claimed), ...lockSteps(dialect, statements, plan, mode, rows)],
    last: (session) =>
      mode === "skip"
        ? Effect.map(skippedOf(session, statements, plan.locks, rows), settle)
        : Effect.sync(() => settle(new Map()))
  }
}

/** The statements of the remaining writes, in their order. */
const writesOf = (
  statements: Statements,
  { deletes, ensures, inserts, relisted, updates }: SettledBatch["writes"]
): ReadonlyArray<Statement> => {
  const writes: Array<Statement> = []
  const works: Array<Work> = []
  const work = (bulk: Bulk, rows: ReadonlyArray<Row>) => {
    if (rows.length > 0) works.push({ bulk, rows })
  }
  for (const table of tables) {
    const gone = deletes.get(table.name)
    if (gone !== undefined) writes.push(...statements.each(statements.remove(table), gone))
    const fresh = inserts.get(table.name)
    if (fresh !== undefined) works.push({ bulk: statements.insert(table), rows: fresh })
  }
  // In a fixed order, so that the same updates have the same text, which the database has prepared.
  for (const [, { columns, rows, table }] of [...updates].sort(byText)) {
    works.push({ bulk: statements.update(table, columns), rows })
  }
  const { added, counts, removed } = listWrites(inserts.get("contacts") ?? [], relisted)
  if (removed.facets.length > 0) writes.push(...statements.each(statements.remove(contactFacets), removed.facets))
  if (removed.search.length > 0) writes.push(...statements.each(statements.remove(contactSearch), removed.search))
  work(statements.insert(contactFacets), added.facets)
  work(statements.insert(contactSearch), added.search)
  work(statements.count, counts)
  if (works.length > 0) writes.push(...statements.writeAll(works))
  for (const table of tables) {
    const ensured = ensures.get(table.name)
    if (ensured === undefined) continue
    const sorted = ensured.map((row) => [textOf(table.key, row), row] as const).sort(byText)
    const rows = sorted.map(([, row]) => row)
    writes.push(...statements.each(statements.ensure(table), rows))
  }
  return writes
}

const byText = (one: readonly [string, unknown], other: readonly [string, unknown]) =>
  one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0

/** Inserts the claims. The inserted ones are added to `claimed`. */
const claimSteps = (
  statements: Statements,
  { claims }: BatchPlan,
  claimed: Map<TableName, ReadonlySet<string>>
): ReadonlyArray<Step> =>
  tables.flatMap((table) => {
    const wanted = claims.get(table.name)
    if (wanted === undefined) return []
    const sorted = [...wanted.first].sort(byText)
    const fresh = sorted.map(([, row]) => row)
    return statements.query(statements.claim(table), fresh, (keys) => {
      const taken = new Set(keys.map((key) => textOf(table.key, key)))
      const inserted = new Set<string>()
      for (const [text, row] of sorted) if (taken.has(textOf(table.key, row))) inserted.add(text)
      // The row of an unknown key would stay although its commit conflicts. Thrown, it is rolled back.
      if (inserted.size < taken.size)
        throw new TypeError(
          `The database returned another key of ${table.name} than was claimed, such as an id in upper case`
        )
      claimed.set(table.name, inserted)
    })
  })

/** Locks or checks the rows, with one statement for each table. They are added to `locked`. */
const lockSteps = (
  dialect: Dialect,
  statements: Statements,
  { locks, written }: BatchPlan,
  mode: LockMode,
  locked: Map<TableName, ReadonlyMap<string, Row>>
): ReadonlyArray<Step> =>
  tables.flatMap((table) => {
    const wanted = locks.get(table.name)
    if (wanted === undefined) return []
    const columns = [...wanted.columns].sort()
    const keys = [...wanted.keys].sort(byText).map(([, key]) => key)
    const lock = wanted.unlocked
      ? statements.look(table, columns)
      : statements.lock(table, columns, written.has(table.name) ? "exclusive" : "shared", mode)
    return statements.query(lock, keys, (found) => {
      dialect.decode(table, found)
      locked.set(table.name, new Map(found.map((row) => [textOf(table.key, row), row])))
    })
  })

/** The existing rows that were not locked. */
const skippedOf = (
  session: Session,
  statements: Statements,
  locks: BatchPlan["locks"],
  locked: World["rows"]
): Effect.Effect<World["skipped"], SqlError> => {
  const skipped = new Map<TableName, ReadonlySet<string>>()
  const looks = [...locks.values()].flatMap(({ keys, table }): ReadonlyArray<Step> => {
    const held = locked.get(table.name)
    if (held?.size === keys.size) return []
    const names = table.key.map((column) => column.name)
    return [
      statements.query(statements.look(table, names), [...keys.values()], (there) => {
        const left = there.map((row) => textOf(table.key, row)).filter((text) => !held?.has(text))
        if (left.length > 0) skipped.set(table.name, new Set(left))
      })
    ]
  })
  return Effect.as(runSteps(session, looks), skipped)
}
