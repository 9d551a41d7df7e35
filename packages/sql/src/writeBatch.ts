import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Changes, TableName } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { gatherBatch, type Needs, type Row } from "./gatherBatch.js"
import type { Statements, Work } from "./Statements.js"
import { type SettledBatch, settleBatch, type World } from "./settleBatch.js"
import { tables, textOf } from "./Tables.js"

/** Whether locked rows are waited for, or the commits that touch them left out. */
export type LockMode = "wait" | "skip"

/**
 * Carries out a batch of commits inside an open transaction: claims first, then one lock pass, then everything that the
 * winners write. Tables and rows are gone through in one fixed order, so that batches cannot deadlock with each other.
 */
export const writeBatch = (
  connection: Connection,
  dialect: Dialect,
  statements: Statements,
  batch: ReadonlyArray<Changes>,
  mode: LockMode
): Effect.Effect<SettledBatch, SqlError> =>
  Effect.gen(function* () {
    const needs = gatherBatch(batch)
    const claimed = yield* claimRows(connection, statements, needs)
    const { rows, skipped } = yield* lockRows(connection, dialect, statements, needs, mode)
    const settled = settleBatch(batch, needs, { claimed, rows, skipped })
    const { deletes, ensures, inserts, updates } = settled.writes
    for (const table of tables) {
      const gone = deletes.get(table.name)
      if (gone !== undefined) yield* statements.run(connection, statements.remove(table), gone)
    }
    const works: Array<Work> = []
    for (const table of tables) {
      const fresh = inserts.get(table.name)
      if (fresh !== undefined) works.push({ bulk: statements.insert(table), rows: fresh })
    }
    for (const { table, columns, rows } of updates.values()) {
      works.push({ bulk: statements.update(table, columns), rows })
    }
    yield* statements.runAll(connection, works)
    for (const table of tables) {
      const ensured = ensures.get(table.name)
      if (ensured === undefined) continue
      const sorted = ensured.map((row) => [textOf(table.key, row), row] as const).sort(byText)
      const rows = sorted.map(([, row]) => row)
      yield* statements.run(connection, statements.ensure(table), rows)
    }
    return settled
  })

const byText = (one: readonly [string, Row], other: readonly [string, Row]) =>
  one[0] < other[0] ? -1 : one[0] > other[0] ? 1 : 0

const claimRows = (
  connection: Connection,
  statements: Statements,
  { claims }: Needs
): Effect.Effect<World["claimed"], SqlError> =>
  Effect.gen(function* () {
    const claimed = new Map<TableName, ReadonlySet<string>>()
    for (const table of tables) {
      const wanted = claims.get(table.name)
      if (wanted === undefined) continue
      const sorted = [...wanted.first].sort(byText)
      const rows = sorted.map(([, row]) => row)
      const taken = new Set<string>()
      for (const key of yield* statements.run(connection, statements.claim(table), rows)) {
        taken.add(textOf(table.key, key))
      }
      const inserted = new Set<string>()
      for (const [text, row] of sorted) if (taken.has(textOf(table.key, row))) inserted.add(text)
      claimed.set(table.name, inserted)
    }
    return claimed
  })

const lockRows = (
  connection: Connection,
  dialect: Dialect,
  statements: Statements,
  { locks }: Needs,
  mode: LockMode
): Effect.Effect<Pick<World, "rows" | "skipped">, SqlError> =>
  Effect.gen(function* () {
    const rows = new Map<TableName, ReadonlyMap<string, Row>>()
    const skipped = new Map<TableName, ReadonlySet<string>>()
    for (const table of tables) {
      const wanted = locks.get(table.name)
      if (wanted === undefined) continue
      const columns = [...wanted.columns].sort()
      const keys = [...wanted.keys.values()]
      const found = yield* statements.run(connection, statements.lock(table, columns, mode), keys)
      dialect.decode(table, found)
      const byKey = new Map<string, Row>()
      for (const row of found) byKey.set(textOf(table.key, row), row)
      rows.set(table.name, byKey)
      if (mode === "skip" && byKey.size < wanted.keys.size) {
        const left = new Set<string>()
        const there = statements.lock(
          table,
          table.key.map((column) => column.name),
          "none"
        )
        for (const row of yield* statements.run(connection, there, keys)) {
          const text = textOf(table.key, row)
          if (!byKey.has(text)) left.add(text)
        }
        if (left.size > 0) skipped.set(table.name, left)
      }
    }
    return { rows, skipped }
  })
