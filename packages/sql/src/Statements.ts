import type { TableName } from "@parley/core"
import { countColumns } from "./contactLists.js"
import type { Rows, Statement, Step } from "./Database.js"
import type { Dialect, LockMode, LockStrength, Portion } from "./Dialect.js"
import { getOrMake } from "./getOrMake.js"
import { type Column, columnsOf, type Relation, type Row, type Table } from "./Tables.js"

/** A statement for many rows, and the columns that it needs of each row. */
export interface Bulk {
  readonly id: string
  readonly columns: ReadonlyArray<Column>
  /** The text for a portion of this size. The first parameter is the n-th. */
  readonly textFor: (size: number, n: number) => string
}

/** A statement and its rows. */
export interface Work {
  readonly bulk: Bulk
  readonly rows: ReadonlyArray<Row>
}

/**
 * The tables whose rows many commits look at and few change. Commits that look at such a row share its lock, in turn:
 * under shared locks alone, a change would wait as long as they overlap. A turn costs an entry in the database's lock
 * table, so rows of tables of which one batch locks many are locked exclusively, and the database queues those that
 * wait.
 */
const sharedInTurn: ReadonlySet<TableName> = new Set(["workspaces", "applications", "agents", "teams", "pipelines"])

/** All statements for {@link Table}s. Each is built once. */
export interface Statements {
  readonly insert: (table: Relation) => Bulk
  /** Inserts rows that do not exist yet, and returns the keys of the inserted ones. */
  readonly claim: (table: Table) => Bulk
  readonly ensure: (table: Table) => Bulk
  readonly remove: (table: Relation) => Bulk
  /** Adds to the number of contacts in lists. */
  readonly count: Bulk
  readonly update: (table: Table, columns: ReadonlyArray<string>) => Bulk
  /**
   * Selects the rows of these keys and locks them in the order of the keys; `skip` leaves out rows that are locked.
   * Rows of {@link sharedInTurn} are locked in turn; `shared` locks rows of other tables exclusively.
   */
  readonly lock: (table: Table, columns: ReadonlyArray<string>, strength: LockStrength, mode: LockMode) => Bulk
  /** Selects the rows of these keys without locks. */
  readonly look: (table: Table, columns: ReadonlyArray<string>) => Bulk
  /** Selects all columns of the rows that have the given values in `by`, and null in `nulls`. */
  readonly find: (table: Table, by: ReadonlyArray<Column>, nulls: ReadonlyArray<Column>) => Bulk
  /** The select list that returns rows of the model. */
  readonly selected: (columns: ReadonlyArray<Column>) => string
  /** The statements for the rows: one for each portion that the database requires. */
  readonly each: (bulk: Bulk, rows: ReadonlyArray<Row>) => ReadonlyArray<Statement>
  /** Runs a statement for the rows; `receive` gets the rows that all portions return. */
  readonly query: (bulk: Bulk, rows: ReadonlyArray<Row>, receive: (found: Rows) => void) => Step
  /** Runs selects, as one statement where this is faster; `receive` gets the rows of each. */
  readonly findAll: (works: ReadonlyArray<Work>, receive: (found: ReadonlyArray<Rows>) => void) => Step
  /** The statements of works that write different rows; one statement if the database supports it. */
  readonly writeAll: (works: ReadonlyArray<Work>) => ReadonlyArray<Statement>
}

export const make = (dialect: Dialect): Statements => {
  const known = new Map<string, Bulk>()
  /** `write` builds the text around the FROM item of the rows. */
  const bulk = (id: string, columns: () => ReadonlyArray<Column>, write: (rows: string) => string): Bulk =>
    getOrMake(known, id, () => {
      const needed = columns()
      const texts = new Map<number, string>()
      const textFor = (size: number, n: number) => write(dialect.rows(n, needed, size))
      return {
        id,
        columns: needed,
        textFor: (size, n) => (n > 1 ? textFor(size, n) : getOrMake(texts, size, () => textFor(size, n)))
      }
    })

  const names = (columns: ReadonlyArray<Column>) => columns.map((column) => column.sql).join(", ")
  const ids = (columns: ReadonlyArray<Column>) => columns.map((column) => column.name).join(" ")
  const values = (columns: ReadonlyArray<Column>) => columns.map((column) => `v."${column.name}"`).join(", ")
  const same = (columns: ReadonlyArray<Column>) => columns.map((column) => `t.${column.sql} = v."${column.name}"`)
  const selected = (columns: ReadonlyArray<Column>) =>
    columns.map((column) => `t.${column.sql} AS "${column.name}"`).join(", ")
  const insertion = (table: Relation, rows: string) =>
    `INSERT INTO ${table.sql} (${names(table.columns)}) SELECT ${values(table.columns)} FROM ${rows} WHERE true`
  const atKeys = (id: string, table: Table, columns: ReadonlyArray<string>, lock: string, turn: string | null = null) =>
    bulk(
      `${id} ${table.name} ${columns.join(" ")}`,
      () => table.key,
      (rows) =>
        `SELECT ${selected(columnsOf(table, columns))} FROM ${dialect.lookUp(rows, table.sql, [...same(table.key), ...(turn === null ? [] : [turn])].join(" AND "), lock)}`
    )
  const keyOf = (table: Table) => table.key.map((column) => `${column.sql} AS "${column.name}"`).join(", ")

  const portionsOf = ({ bulk, rows }: Work): ReadonlyArray<Portion> =>
    bulk.columns.length === 0 ? [{ size: 0, parameters: [] }] : dialect.portions(bulk.columns, rows)

  const each: Statements["each"] = (bulk, rows) =>
    portionsOf({ bulk, rows }).map(({ parameters, size }) => ({ text: bulk.textFor(size, 1), parameters }))

  const combined = new Map<string, string>()
  /** The combined text of these statements; its parameters are the concatenated parameters of all of them. */
  const textOfAll = (works: ReadonlyArray<Work>, write: (texts: ReadonlyArray<string>) => string): string => {
    const id = works.map(({ bulk }) => bulk.id).join(", ")
    return getOrMake(combined, id, () => {
      let n = 1
      return write(works.map(({ bulk }) => bulk.textFor(0, bulk.columns.length === 0 ? n : n++)))
    })
  }
  const parametersOfAll = (works: ReadonlyArray<Work>) =>
    works.flatMap((work) => portionsOf(work).flatMap((portion) => portion.parameters))

  return {
    selected,
    insert: (table) =>
      bulk(
        `insert ${table.name}`,
        () => table.columns,
        (rows) => insertion(table, rows)
      ),
    ensure: (table) =>
      bulk(
        `ensure ${table.name}`,
        () => table.columns,
        (rows) => `${insertion(table, rows)} ON CONFLICT DO NOTHING`
      ),
    claim: (table) =>
      bulk(
        `claim ${table.name}`,
        () => table.columns,
        (rows) => `${insertion(table, rows)} ON CONFLICT DO NOTHING RETURNING ${keyOf(table)}`
      ),
    remove: (table) =>
      bulk(
        `remove ${table.name}`,
        () => table.key,
        (rows) => dialect.remove(rows, table.sql, table.key)
      ),
    count: bulk("count contacts", () => countColumns, dialect.addToCounts),
    update: (table, columns) =>
      bulk(
        `update ${table.name} ${columns.join(" ")}`,
        () => [...table.key, ...columnsOf(table, columns)],
        (rows) => {
          const assigned = columnsOf(table, columns).map((column) => `${column.sql} = v."${column.name}"`)
          return dialect.update(rows, table.sql, same(table.key).join(" AND "), assigned.join(", "))
        }
      ),
    lock: (table, columns, given, mode) => {
      const takesTurns = sharedInTurn.has(table.name)
      const strength = takesTurns ? given : "exclusive"
      return atKeys(
        `lock ${strength} ${mode}`,
        table,
        columns,
        `${dialect.locks[strength]}${mode === "skip" ? dialect.skipLocked : ""}`,
        dialect.turn !== null && takesTurns
          ? dialect.turn(table.sql, table.key.map(({ sql }) => `t.${sql}`).join(), strength, mode)
          : null
      )
    },
    look: (table, columns) => atKeys("look", table, columns, ""),
    find: (table, by, nulls) =>
      bulk(
        `find ${table.name} ${ids(by)} / ${ids(nulls)}`,
        () => by,
        (rows) => {
          const conditions = [...same(by), ...nulls.map((column) => `t.${column.sql} IS NULL`)].join(" AND ")
          return by.length === 0
            ? `SELECT ${selected(table.columns)} FROM ${table.sql} AS t WHERE ${conditions || "true"}`
            : `SELECT ${selected(table.columns)} FROM ${dialect.lookUp(rows, table.sql, conditions, "")}`
        }
      ),
    each,
    query: (bulk, rows, receive) => ({
      statements: each(bulk, rows),
      receive: (found) => receive(found.length === 1 ? (found[0] as Rows) : found.flat())
    }),
    findAll: (works, receive) => {
      const { asJson } = dialect
      if (asJson === null || works.length < 2) {
        const statements = works.map(({ bulk, rows }) => each(bulk, rows))
        return {
          statements: statements.flat(),
          receive: (found) => {
            let from = 0
            receive(
              statements.map(({ length }) => {
                from += length
                return found.slice(from - length, from).flat()
              })
            )
          }
        }
      }
      const text = textOfAll(works, (texts) => `SELECT ${texts.map((one, i) => `${asJson(one)} AS f${i}`).join(", ")}`)
      return {
        statements: [{ text, parameters: parametersOfAll(works) }],
        receive: ([rows = []]) => receive(works.map((_, i) => rows[0][`f${i}`] ?? []))
      }
    },
    writeAll: (works) => {
      if (!dialect.combines || works.length < 2) return works.flatMap(({ bulk, rows }) => each(bulk, rows))
      const text = textOfAll(
        works,
        (texts) => `WITH ${texts.map((one, i) => `w${i} AS (${one})`).join(", ")} SELECT 1 AS done`
      )
      return [{ text, parameters: parametersOfAll(works) }]
    }
  }
}
