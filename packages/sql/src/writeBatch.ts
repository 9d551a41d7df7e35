import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Changes, TableName } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { gatherBatch, type Needs, type Row } from "./gatherBatch.js"
import type { Statements } from "./Statements.js"
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
      if (gone !== undefined) yield* connection.execute(statements.remove(table), [JSON.stringify(gone)], undefined)
    }
    for (const table of tables) {
      const fresh = inserts.get(table.name)
      if (fresh !== undefined) yield* connection.execute(statements.insert(table), [JSON.stringify(fresh)], undefined)
    }
    for (const table of tables) {
      const ensured = ensures.get(table.name)
      if (ensured !== undefined) {
        const sorted = ensured.map((row) => [textOf(table.key, row), row] as const).sort(byText)
        yield* connection.execute(statements.ensure(table), [JSON.stringify(sorted.map(([, row]) => row))], undefined)
      }
    }
    for (const { table, columns, rows } of updates.values()) {
      yield* connection.execute(statements.update(table, columns), [JSON.stringify(rows)], undefined)
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
      const rows = JSON.stringify(sorted.map(([, row]) => row))
      const taken = new Set<string>()
      for (const key of yield* connection.execute(statements.claim(table), [rows], undefined)) {
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
      const keys = JSON.stringify([...wanted.keys.values()])
      const found = yield* connection.execute(statements.lock(table, columns, mode), [keys], undefined)
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
        for (const row of yield* connection.execute(there, [keys], undefined)) {
          const text = textOf(table.key, row)
          if (!byKey.has(text)) left.add(text)
        }
        if (left.size > 0) skipped.set(table.name, left)
      }
    }
    return { rows, skipped }
  })
