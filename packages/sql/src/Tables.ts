import { keys, type TableName } from "@parley/core"
import { columns, type Kind } from "./columns.js"

export type Row = Record<string, unknown>

/** The name of a table or column in SQL: `lastActivityAt` becomes `last_activity_at`. */
export const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

/** A column with its names in the model and in SQL. */
export interface Column {
  readonly name: string
  readonly sql: string
  readonly kind: Kind
}

/** A table for which statements are built, also a table that is not part of the model. */
export interface Relation {
  readonly name: string
  readonly sql: string
  readonly columns: ReadonlyArray<Column>
  readonly key: ReadonlyArray<Column>
}

/** A table of the model. */
export interface Table extends Relation {
  readonly name: TableName
  readonly column: ReadonlyMap<string, Column>
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

/** Every table. Rows are claimed, locked and written in this order, so that batches cannot deadlock. */
export const tables: ReadonlyArray<Table> = (Object.keys(columns) as Array<TableName>).map(describe)

const byName = new Map(tables.map((table) => [table.name, table]))

/** The table with this name. */
export const tableOf = (name: TableName): Table => byName.get(name) as Table

/** The columns with these names, in the order given. An unknown name is a defect of the caller. */
export const columnsOf = (table: Table, names: ReadonlyArray<string>): ReadonlyArray<Column> =>
  names.map((name) => {
    const column = table.column.get(name)
    if (column === undefined) throw new TypeError(`${table.name} has no column ${name}`)
    return column
  })

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the column can hold this value. The database would refuse the parameter, so such values are never sent. */
export const canBe = (column: Column, value: unknown): boolean =>
  typeof value !== "string" || (column.kind === "uuid" ? uuid.test(value) : !value.includes("\u0000"))

/** The values of these columns as one text, a key for maps in memory. */
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
