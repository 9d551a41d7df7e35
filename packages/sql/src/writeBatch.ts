import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { Changes, TableName } from "@parley/core"
import { Effect } from "effect"
import type { Dialect } from "./Dialect.js"
import { gatherBatch, type Needs, type Row } from "./gatherBatch.js"
import type { Statements, Work } from "./Statements.js"
import { type SettledBatch, settleBatch, type World } from "./settleBatch.js"
import { tables, textOf } from "./Tables.js"
import { together } from "./together.js"

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
    const [claimed, { rows, skipped }] = yield* claimAndLock(connection, dialect, statements, needs, mode)
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

/** Inserts the claims and locks the rows; the statements follow each other without waiting for answers between them. */
const claimAndLock = (
  connection: Connection,
  dialect: Dialect,
  statements: Statements,
  { claims, locks }: Needs,
  mode: LockMode
): Effect.Effect<readonly [claimed: World["claimed"], locked: Pick<World, "rows" | "skipped">], SqlError> =>
  Effect.gen(function* () {
    const claimed = new Map<TableName, ReadonlySet<string>>()
    const rows = new Map<TableName, ReadonlyMap<string, Row>>()
    const steps: Array<Effect.Effect<void, SqlError>> = []
    for (const table of tables) {
      const wanted = claims.get(table.name)
      if (wanted === undefined) continue
      const sorted = [...wanted.first].sort(byText)
      const fresh = sorted.map(([, row]) => row)
      steps.push(
        Effect.map(statements.run(connection, statements.claim(table), fresh), (keys) => {
          const taken = new Set(keys.map((key) => textOf(table.key, key)))
          const inserted = new Set<string>()
          for (const [text, row] of sorted) if (taken.has(textOf(table.key, row))) inserted.add(text)
          claimed.set(table.name, inserted)
        })
      )
    }
    for (const table of tables) {
      const wanted = locks.get(table.name)
      if (wanted === undefined) continue
      const columns = [...wanted.columns].sort()
      const keys = [...wanted.keys].sort(byText).map(([, key]) => key)
      steps.push(
        Effect.map(statements.run(connection, statements.lock(table, columns, mode), keys), (found) => {
          dialect.decode(table, found)
          rows.set(table.name, new Map(found.map((row) => [textOf(table.key, row), row])))
        })
      )
    }
    yield* together(steps)
    const skipped = mode === "skip" ? yield* skippedOf(connection, statements, locks, rows) : new Map()
    return [claimed, { rows, skipped }]
  })

/** The rows that are there and were not locked. */
const skippedOf = (
  connection: Connection,
  statements: Statements,
  locks: Needs["locks"],
  locked: World["rows"]
): Effect.Effect<World["skipped"], SqlError> =>
  Effect.gen(function* () {
    const skipped = new Map<TableName, ReadonlySet<string>>()
    for (const { keys, table } of locks.values()) {
      const held = locked.get(table.name)
      if (held?.size === keys.size) continue
      const names = table.key.map((column) => column.name)
      const there = yield* statements.run(connection, statements.lock(table, names, "none"), [...keys.values()])
      const left = there.map((row) => textOf(table.key, row)).filter((text) => !held?.has(text))
      if (left.length > 0) skipped.set(table.name, new Set(left))
    }
    return skipped
  })
