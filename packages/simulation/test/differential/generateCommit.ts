import { type Bump, type Changes, type Claim, changes, type TableName, uniques } from "@parley/core"
import type { MemoryDatabase, Row } from "@parley/memory"
import { type Table, tableOf, textOf, uniqueOf } from "@parley/sql"
import { FastCheck as fc } from "effect"
import {
  aFailure,
  aFreshId,
  anId,
  aPayload,
  aRow,
  aTime,
  aValue,
  type Generate,
  lanesUsed,
  once,
  oneOf,
  some
} from "./values.js"

const claimable: ReadonlyArray<TableName> = [
  "workspaces",
  "idempotency",
  "addresses",
  "providerMessages",
  "customFields",
  "accessTokens",
  "runKeys",
  "accounts",
  ...(Object.keys(uniques) as ReadonlyArray<TableName>)
]

const bumped: { readonly [T in Bump["table"]]: ReadonlyArray<string> } = {
  contacts: ["lastActivityAt"],
  conversations: ["lastActivityAt", "lastInboundAt", "deliveredUpTo", "readUpTo", "fed"],
  connections: ["heldUntil", "heldMs"],
  endpoints: ["consecutiveFailures"]
}

const keyOf = (table: Table, row: Row): Row => Object.fromEntries(table.key.map(({ name }) => [name, row[name]]))

/** A stored row, or one that is not stored. */
const aStoredRow = (generate: Generate, database: MemoryDatabase, name: TableName): Row => {
  const rows = [...database.table(name).all()]
  return rows.length === 0 || once(generate, 12) ? aRow(generate, name) : oneOf(generate, rows)
}

/** Conditions that the row meets, mostly. */
const conditions = (generate: Generate, table: Table, row: Row): Row => {
  const where: { [column: string]: unknown } = {}
  for (const column of table.columns) {
    if (column.kind === "json" || !once(generate, 6)) continue
    const value = once(generate, 12) ? aValue(generate, table, column) : row[column.name]
    where[column.name] = once(generate, 4) ? [value, aValue(generate, table, column)] : value
  }
  return where
}

/** New values of columns, except those that commits never set: unique columns, the workspace and the version. */
const newValues = (generate: Generate, table: Table): Row => {
  const values: { [column: string]: unknown } = {}
  for (const column of table.columns) {
    const isFixed = table.key.includes(column) || uniqueOf(table).includes(column) || unset.includes(column.name)
    if (!isFixed && once(generate, 4)) values[column.name] = aValue(generate, table, column)
  }
  return values
}

const unset = ["workspaceId", "version"]

const numbers = (generate: Generate, columns: ReadonlyArray<string>): { readonly [column: string]: number } =>
  Object.fromEntries(generate(fc.subarray, [...columns]).map((column) => [column, aTime(generate)]))

const aBump = (generate: Generate, database: MemoryDatabase): Bump => {
  const table = oneOf(generate, Object.keys(bumped) as ReadonlyArray<Bump["table"]>)
  return {
    table,
    id: aStoredRow(generate, database, table).id as string,
    greatest: numbers(generate, bumped[table]),
    add: numbers(generate, bumped[table]),
    reset: once(generate, 3) ? numbers(generate, bumped[table]) : {}
  }
}

const aSettle = (generate: Generate, database: MemoryDatabase): Changes["settle"] => {
  const { epoch, id } = aStoredRow(generate, database, "jobs")
  const again = () => ({
    runAt: aTime(generate),
    lane: oneOf(generate, lanesUsed),
    payload: aPayload(generate),
    ...(once(generate, 2) ? {} : { failure: aFailure(generate) })
  })
  return {
    jobId: id as string,
    epoch: (epoch as number) + (once(generate, 8) ? 1 : 0),
    again: once(generate, 2) ? null : again()
  }
}

/** Changes of all parts, with keys that mostly exist, in these tables. */
export const generateCommit = (
  generate: Generate,
  database: MemoryDatabase,
  names: ReadonlyArray<TableName>
): Changes => {
  const rowsOf = (tables: ReadonlyArray<TableName>, max: number) =>
    tables.length === 0
      ? []
      : some(generate, max, () => {
          const table = oneOf(generate, tables)
          return { table, row: aRow(generate, table) } as unknown as Claim
        })
  /** A claim is lost by its unique values. Where the id is not one of them, it is fresh. */
  const claims = rowsOf(
    names.filter((name) => claimable.includes(name)),
    2
  ).map(({ row, table }) =>
    table in uniques ? ({ table, row: { ...row, id: aFreshId(generate) } } as unknown as Claim) : { table, row }
  ) as ReadonlyArray<Claim>
  const seen = new Set<string>()
  const expected = some(generate, 3, () => {
    const table = tableOf(oneOf(generate, names))
    return { table, row: aStoredRow(generate, database, table.name) }
  }).filter(({ row, table }) => {
    const name = `${table.name} ${textOf(table.key, row)}`
    return !seen.has(name) && seen.add(name)
  })
  const named = expected.map(({ row, table }) => ({ table: table.name, key: keyOf(table, row) }))
  const settle = names.includes("jobs") && once(generate, 3) ? aSettle(generate, database) : null
  return changes(anId(generate), {
    claims,
    expects: expected.map(({ row, table }, i) => ({ ...named[i], where: conditions(generate, table, row) })) as never,
    inserts: rowsOf(names, 2),
    ensures: rowsOf(
      names.filter((name) => name !== "contacts"),
      1
    ) as never,
    sets: expected.flatMap(({ table }, i) =>
      once(generate, 2) ? [{ ...named[i], values: newValues(generate, table) }] : []
    ) as never,
    deletes: named.filter(() => once(generate, 4)) as never,
    bumps: some(generate, 2, () => aBump(generate, database)),
    settle
  })
}
