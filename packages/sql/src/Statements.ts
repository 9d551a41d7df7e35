import type { Dialect } from "./Dialect.js"
import { type Column, columnsOf, type Table } from "./Tables.js"

/** The texts of all statements over {@link Table}s, each made once. */
export interface Statements {
  readonly insert: (table: Table) => string
  /** Leaves rows alone that are there already; answers the keys of those that are new. */
  readonly claim: (table: Table) => string
  readonly ensure: (table: Table) => string
  readonly remove: (table: Table) => string
  readonly update: (table: Table, columns: ReadonlyArray<string>) => string
  /** The rows of these keys, locked in the order of their keys. */
  readonly lock: (table: Table, columns: ReadonlyArray<string>, mode: "wait" | "skip" | "none") => string
  /** All columns of the rows that have one of the given values in `by` and null in `nulls`. */
  readonly find: (table: Table, by: ReadonlyArray<Column>, nulls: ReadonlyArray<Column>) => string
  /** What a select names to get rows of the model. */
  readonly selected: (columns: ReadonlyArray<Column>) => string
}

export const make = (dialect: Dialect): Statements => {
  const cache = new Map<string, string>()
  const cached = (id: string, text: () => string): string => {
    let known = cache.get(id)
    if (known === undefined) {
      known = text()
      cache.set(id, known)
    }
    return known
  }
  const names = (columns: ReadonlyArray<Column>) => columns.map((column) => column.sql).join(", ")
  const values = (columns: ReadonlyArray<Column>) => columns.map((column) => `v."${column.name}"`).join(", ")
  const selected = (columns: ReadonlyArray<Column>) =>
    columns.map((column) => `t.${column.sql} AS "${column.name}"`).join(", ")
  const keyed = (table: Table) =>
    table.key.length === 1
      ? `t.${table.key[0]?.sql} IN (SELECT ${values(table.key)} FROM ${dialect.rows(1, table.key)})`
      : `(${table.key.map((column) => `t.${column.sql}`).join(", ")}) IN (SELECT ${values(table.key)} FROM ${dialect.rows(1, table.key)})`
  const insertion = (table: Table) =>
    `INSERT INTO ${table.sql} (${names(table.columns)}) SELECT ${values(table.columns)} FROM ${dialect.rows(1, table.columns)} WHERE true`

  return {
    selected,
    insert: (table) => cached(`insert ${table.name}`, () => insertion(table)),
    ensure: (table) => cached(`ensure ${table.name}`, () => `${insertion(table)} ON CONFLICT DO NOTHING`),
    claim: (table) =>
      cached(
        `claim ${table.name}`,
        () =>
          `${insertion(table)} ON CONFLICT DO NOTHING RETURNING ${table.key.map((column) => `${column.sql} AS "${column.name}"`).join(", ")}`
      ),
    remove: (table) => cached(`remove ${table.name}`, () => `DELETE FROM ${table.sql} AS t WHERE ${keyed(table)}`),
    update: (table, columns) =>
      cached(`update ${table.name} ${columns.join(" ")}`, () => {
        const changed = columnsOf(table, columns)
        const assigned = changed.map((column) => `${column.sql} = v."${column.name}"`).join(", ")
        const same = table.key.map((column) => `t.${column.sql} = v."${column.name}"`).join(" AND ")
        return `UPDATE ${table.sql} AS t SET ${assigned} FROM ${dialect.rows(1, [...table.key, ...changed])} WHERE ${same}`
      }),
    lock: (table, columns, mode) =>
      cached(`lock ${mode} ${table.name} ${columns.join(" ")}`, () => {
        const order = table.key.map((column) => `t.${column.sql}`).join(", ")
        const suffix = mode === "wait" ? dialect.lock : mode === "skip" ? dialect.lockSkipping : ""
        return `SELECT ${selected(columnsOf(table, columns))} FROM ${table.sql} AS t WHERE ${keyed(table)} ORDER BY ${order}${suffix}`
      }),
    find: (table, by, nulls) =>
      cached(
        `find ${table.name} ${by.map((column) => column.name).join(" ")} / ${nulls.map((column) => column.name).join(" ")}`,
        () => {
          const empty = nulls.map((column) => `t.${column.sql} IS NULL`)
          const [only] = by
          if (only === undefined || by.length === 1) {
            const conditions = only === undefined ? empty : [dialect.oneOf(only, 1), ...empty]
            return `SELECT ${selected(table.columns)} FROM ${table.sql} AS t${conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : ""}`
          }
          const same = by.map((column) => `t.${column.sql} = v."${column.name}"`)
          return `SELECT ${selected(table.columns)} FROM ${dialect.rows(1, by)} ${dialect.join} ${table.sql} AS t ON ${[...same, ...empty].join(" AND ")}`
        }
      )
  }
}
