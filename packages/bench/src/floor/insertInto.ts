import type { TableName } from "@parley/core"
import { type Table, tableOf } from "@parley/sql"
import type { TableRows } from "./messageRows.js"

/** The `INSERT` of so many rows into a table; `placeholder` of the n-th value, from 1. */
export const insertInto = (name: TableName, count: number, placeholder: (n: number) => string): string => {
  const { columns, sql } = tableOf(name)
  const names = columns.map((column) => column.sql).join(", ")
  const rows = Array.from({ length: count }, (_, row) => {
    const values = columns.map((_, column) => placeholder(row * columns.length + column + 1))
    return `(${values.join(", ")})`
  })
  return `INSERT INTO ${sql} (${names}) VALUES ${rows.join(", ")}`
}

/** The values of a row in the order of its columns; JSON as text, and for SQLite booleans as numbers. */
export const valuesOf = (table: Table, row: TableRows["rows"][number], booleansAsNumbers: boolean): Array<unknown> =>
  table.columns.map(({ kind, name }) => {
    const value = (row as unknown as Record<string, unknown>)[name]
    if (kind === "json") return value === null ? null : JSON.stringify(value)
    return kind === "boolean" && booleansAsNumbers ? Number(value) : value
  })
