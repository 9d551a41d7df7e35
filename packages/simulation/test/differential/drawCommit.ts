import { type Bump, type Changes, type Claim, changes, type TableName, uniques } from "@parley/core"
import { type Table, tableOf, textOf, uniqueOf } from "@parley/sql"
import { FastCheck as fc } from "effect"
import type { ModelDatabase } from "../../src/model/ModelDatabase.js"
import type { Row } from "../../src/model/storableRow.js"
import {
  aFailure,
  aFreshId,
  anId,
  aPayload,
  aRow,
  aTime,
  aValue,
  type Draw,
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
const aStoredRow = (draw: Draw, database: ModelDatabase, name: TableName): Row => {
  const rows = [...database.table(name).all()]
  return rows.length === 0 || once(draw, 12) ? aRow(draw, name) : oneOf(draw, rows)
}

/** Conditions that the row meets, mostly. */
const conditions = (draw: Draw, table: Table, row: Row): Row => {
  const where: { [column: string]: unknown } = {}
  for (const column of table.columns) {
    if (column.kind === "json" || !once(draw, 6)) continue
    const value = once(draw, 12) ? aValue(draw, table, column) : row[column.name]
    where[column.name] = once(draw, 4) ? [value, aValue(draw, table, column)] : value
  }
  return where
}

/** New values of columns, except those that commits never set: unique columns, the workspace and the version. */
const newValues = (draw: Draw, table: Table): Row => {
  const values: { [column: string]: unknown } = {}
  for (const column of table.columns) {
    const isFixed = table.key.includes(column) || uniqueOf(table).includes(column) || unset.includes(column.name)
    if (!isFixed && once(draw, 4)) values[column.name] = aValue(draw, table, column)
  }
  return values
}

const unset = ["workspaceId", "version"]

const numbers = (draw: Draw, columns: ReadonlyArray<string>): { readonly [column: string]: number } =>
  Object.fromEntries(draw(fc.subarray, [...columns]).map((column) => [column, aTime(draw)]))

const aBump = (draw: Draw, database: ModelDatabase): Bump => {
  const table = oneOf(draw, Object.keys(bumped) as ReadonlyArray<Bump["table"]>)
  return {
    table,
    id: aStoredRow(draw, database, table).id as string,
    greatest: numbers(draw, bumped[table]),
    add: numbers(draw, bumped[table]),
    reset: once(draw, 3) ? numbers(draw, bumped[table]) : {}
  }
}

const aSettle = (draw: Draw, database: ModelDatabase): Changes["settle"] => {
  const { epoch, id } = aStoredRow(draw, database, "jobs")
  const again = () => ({
    runAt: aTime(draw),
    lane: oneOf(draw, lanesUsed),
    payload: aPayload(draw),
    ...(once(draw, 2) ? {} : { failure: aFailure(draw) })
  })
  return {
    jobId: id as string,
    epoch: (epoch as number) + (once(draw, 8) ? 1 : 0),
    again: once(draw, 2) ? null : again()
  }
}

/** Changes of all parts, with keys that mostly exist, in these tables. */
export const drawCommit = (draw: Draw, database: ModelDatabase, names: ReadonlyArray<TableName>): Changes => {
  const rowsOf = (tables: ReadonlyArray<TableName>, max: number) =>
    tables.length === 0
      ? []
      : some(draw, max, () => {
          const table = oneOf(draw, tables)
          return { table, row: aRow(draw, table) } as unknown as Claim
        })
  /** A claim is lost by its unique values. Where the id is not one of them, it is fresh. */
  const claims = rowsOf(
    names.filter((name) => claimable.includes(name)),
    2
  ).map(({ row, table }) =>
    table in uniques ? ({ table, row: { ...row, id: aFreshId(draw) } } as unknown as Claim) : { table, row }
  ) as ReadonlyArray<Claim>
  const seen = new Set<string>()
  const expected = some(draw, 3, () => {
    const table = tableOf(oneOf(draw, names))
    return { table, row: aStoredRow(draw, database, table.name) }
  }).filter(({ row, table }) => {
    const name = `${table.name} ${textOf(table.key, row)}`
    return !seen.has(name) && seen.add(name)
  })
  const named = expected.map(({ row, table }) => ({ table: table.name, key: keyOf(table, row) }))
  const settle = names.includes("jobs") && once(draw, 3) ? aSettle(draw, database) : null
  return changes(anId(draw), {
    claims,
    expects: expected.map(({ row, table }, i) => ({ ...named[i], where: conditions(draw, table, row) })) as never,
    inserts: rowsOf(names, 2),
    ensures: rowsOf(
      names.filter((name) => name !== "contacts"),
      1
    ) as never,
    sets: expected.flatMap(({ table }, i) =>
      once(draw, 2) ? [{ ...named[i], values: newValues(draw, table) }] : []
    ) as never,
    deletes: named.filter(() => once(draw, 4)) as never,
    bumps: some(draw, 2, () => aBump(draw, database)),
    settle
  })
}
