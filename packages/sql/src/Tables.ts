import { keys, type TableName } from "@parley/core"
import { columns, type Kind } from "./columns.js"

/** The name of a table or column in SQL: `lastActivityAt` is `last_activity_at`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column under both of its names. */
export interface Column {
  readonly name: string
  readonly sql: string
  readonly kind: Kind
}

/** A table as the statements see it. */
export interface Table {
  readonly name: TableName
  readonly sql: string
  readonly columns: ReadonlyArray<Column>
  readonly column: ReadonlyMap<string, Column>
  readonly key: ReadonlyArray<Column>
  readonly hasVersion: boolean
}

const describe = (name: TableName): Table => {
  const described = Object.entries(columns[name]).map(([column, kind]) => ({
    name: column,
    sql: snakeCase(column),
    kind
  }))
  const byName = new Map(described.map((column) => [column.name, column]))
  return {
    name,
    sql: snakeCase(name),
    columns: described,
    column: byName,
    key: described.filter((column) => (keys[name] as ReadonlyArray<string>).includes(column.name)),
    hasVersion: byName.has("version")
  }
}

/** Every table, in the one order in which rows are claimed, locked and written, so that batches never wait in a circle. */
export const tables: ReadonlyArray<Table> = (Object.keys(columns) as Array<TableName>).map(describe)

const byName = new Map(tables.map((table) => [table.name, table]))

/** The table of this name. */
export const tableOf = (name: TableName): Table => byName.get(name) as Table

/** The columns of these names, in the order given; a name that the table lacks is a defect of the caller. */
export const columnsOf = (table: Table, names: ReadonlyArray<string>): ReadonlyArray<Column> =>
  names.map((name) => {
    const column = table.column.get(name)
    if (column === undefined) throw new TypeError(`${table.name} has no column ${name}`)
    return column
  })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether any row can have this value there: what cannot be is not asked of the database, which would refuse it. */
export const canBe = (column: Column, value: unknown): boolean =>
  typeof value !== "string" || (column.kind === "uuid" ? uuid.test(value) : !value.includes("\u0000"))

/** The values of some columns as one text, to find rows by in memory. */
export const textOf = (columns: ReadonlyArray<Column>, row: { readonly [column: string]: unknown }): string => {
  const [only] = columns
  if (columns.length === 1 && only !== undefined) return `${row[only.name]}`
  let text = ""
  for (const column of columns) {
    const value = `${row[column.name]}`
    text += `${value.length}:${value}`
  }
  return text
}
