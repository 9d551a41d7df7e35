import type { Dialect } from "./Dialect.js"
import { type Column, canBe, columnsOf, type Table } from "./Tables.js"

/** A statement under construction. Its parameters occur in the text in the order in which they are bound, each once. */
export interface Query {
  readonly parameters: ReadonlyArray<unknown>
  /** Binds one more parameter and returns its placeholder. */
  readonly bind: (value: unknown) => string
  /**
   * Conditions on `t`: each column has the given value, or one of several values, of which null may be one. Null if no
   * row can match.
   */
  readonly conditions: (table: Table, where: { readonly [column: string]: unknown }) => Array<string> | null
  /** A FROM item `v` of rows. */
  readonly rows: (columns: ReadonlyArray<Column>, rows: ReadonlyArray<object>) => string
}

export const make = (dialect: Dialect): Query => {
  const parameters: Array<unknown> = []
  const bind = (value: unknown) => dialect.parameter(parameters.push(value))

  const among = (column: Column, wanted: ReadonlyArray<unknown>): string | null => {
    const conditions = wanted.includes(null) ? [`t.${column.sql} IS NULL`] : []
    const values = wanted.filter((value) => value !== null && canBe(column, value))
    const [only] = values
    // An equality lets the database use the order of an index that starts with this column.
    if (values.length === 1 && typeof only !== "boolean") conditions.push(`t.${column.sql} = ${bind(only)}`)
    else if (values.length > 0) conditions.push(dialect.oneOf(column, parameters.push(JSON.stringify(values))))
    return conditions.length > 1 ? `(${conditions.join(" OR ")})` : (conditions[0] ?? null)
  }

  return {
    parameters,
    bind,
    conditions: (table, where) => {
      const conditions: Array<string> = []
      for (const [name, value] of Object.entries(where)) {
        const [column] = columnsOf(table, [name])
        if (column === undefined || column.kind === "json") throw new TypeError(`${name} cannot be a condition`)
        const condition = among(column, Array.isArray(value) ? value : [value])
        if (condition === null) return null
        conditions.push(condition)
      }
      return conditions
    },
    rows: (columns, rows) => dialect.rows(parameters.push(JSON.stringify(rows)), columns, 0)
  }
}
