import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import { type Lookup, type ReadError, StorageUnavailable } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Dialect } from "./Dialect.js"
import type { Row } from "./gatherBatch.js"
import type { Statements } from "./Statements.js"
import { type Column, canBe, columnsOf, type Table, tableOf, textOf } from "./Tables.js"
import { withConnection } from "./Transaction.js"
import { together } from "./together.js"

/** What lookups have in common that one select answers. */
interface Shape {
  readonly id: number
  readonly table: Table
  readonly by: ReadonlyArray<Column>
  readonly nulls: ReadonlyArray<Column>
}

/** A lookup as the database compares it, with the text of its values. */
interface Wanted {
  readonly shape: Shape
  readonly values: Row
  readonly text: string
}

/** The lookups of a query that have one shape, and what was found, by the text of the values. */
interface Group {
  readonly shape: Shape
  readonly wanted: Map<string, Row>
  readonly found: Map<string, Array<Row>>
}

/** What the callers of a batch ask who ask for the same shapes: one statement, of which there are as many as ways to ask. */
type Query = Map<Shape, Group>

const want = (query: Query, { shape, text, values }: Wanted) => {
  let group = query.get(shape)
  if (group === undefined) {
    group = { shape, wanted: new Map(), found: new Map() }
    query.set(shape, group)
  }
  group.wanted.set(text, values)
}

const nothing: ReadonlyArray<Row> = []

/** The values of a lookup as the database compares them, or null where nothing can match. */
const comparable = (by: ReadonlyArray<Column>, where: Row): Row | null => {
  const values: Row = {}
  for (const column of by) {
    const value = where[column.name]
    if (column.kind === "json") throw new TypeError(`${column.name} cannot be looked up by`)
    if (!canBe(column, value)) return null
    values[column.name] = column.kind === "uuid" ? `${value}`.toLowerCase() : value
  }
  return values
}

type Find = (lookups: ReadonlyArray<Lookup<any> | null>) => Effect.Effect<ReadonlyArray<ReadonlyArray<Row>>, ReadError>

/** Looks rows up in batches: the lookups of all callers of a moment, one statement for all who ask the same way. */
export const make = (
  sql: SqlClient,
  dialect: Dialect,
  statements: Statements
): Effect.Effect<Find, never, Scope.Scope> => {
  const shapes = new Map<string, Shape>()
  const shapeOf = (lookup: Lookup<any>): Shape => {
    const where = lookup.where as Row
    let text: string = lookup.from
    for (const name in where) text += where[name] === null ? ` ${name}=` : ` ${name}`
    let shape = shapes.get(text)
    if (shape === undefined) {
      const table = tableOf(lookup.from)
      const columns = columnsOf(table, Object.keys(where))
      shape = {
        id: shapes.size,
        table,
        by: columns.filter((column) => where[column.name] !== null),
        nulls: columns.filter((column) => where[column.name] === null)
      }
      shapes.set(text, shape)
    }
    return shape
  }

  /** Null where nothing can match. */
  const wantedOf = (lookup: Lookup<any> | null): Wanted | null => {
    if (lookup === null) return null
    const shape = shapeOf(lookup)
    const values = comparable(shape.by, lookup.where as Row)
    return values === null ? null : { shape, values, text: textOf(shape.by, values) }
  }

  const keep = ({ found, shape: { by, table } }: Group, rows: ReadonlyArray<Row>) => {
    dialect.decode(table, rows)
    for (const row of rows) {
      const text = textOf(by, row)
      const same = found.get(text)
      if (same === undefined) found.set(text, [row])
      else same.push(row)
    }
  }

  const fill = (connection: Connection, groups: ReadonlyArray<Group>): Effect.Effect<void, SqlError> => {
    const works = groups.map(({ shape: { by, nulls, table }, wanted }) => ({
      bulk: statements.find(table, by, nulls),
      rows: [...wanted.values()]
    }))
    return Effect.map(statements.findAll(connection, works), (found) => {
      for (const [i, group] of groups.entries()) keep(group, found[i] as ReadonlyArray<Row>)
    })
  }

  const run = (batch: ReadonlyArray<ReadonlyArray<Wanted | null>>) =>
    Effect.suspend(() => {
      const queries = new Map<string, Query>()
      const queryOf = batch.map((lookups) => {
        let id = ""
        for (const lookup of lookups) if (lookup !== null) id += `${lookup.shape.id},`
        let query = queries.get(id)
        if (query === undefined) {
          query = new Map()
          queries.set(id, query)
        }
        for (const lookup of lookups) if (lookup !== null) want(query, lookup)
        return query
      })
      queries.delete("")
      const filled =
        queries.size === 0
          ? Effect.void
          : withConnection(sql, (connection) =>
              together([...queries.values()].map((query) => fill(connection, [...query.values()])))
            )
      return Effect.map(filled, () =>
        batch.map((lookups, i) =>
          Effect.succeed(
            lookups.map((lookup) =>
              lookup === null ? nothing : (queryOf[i]?.get(lookup.shape)?.found.get(lookup.text) ?? nothing)
            )
          )
        )
      )
    }).pipe(
      Effect.retry({ times: 1, while: (error) => dialect.faultOf(error) === "lost" }),
      Effect.mapError((cause) => new StorageUnavailable({ cause }))
    )

  return Effect.map(
    Coalescer.make<ReadonlyArray<Wanted | null>, ReadonlyArray<ReadonlyArray<Row>>, ReadError>({
      run,
      ...dialect.reads,
      maxBatch: 500,
      maxWeight: 2_000,
      weigh: (lookups) => lookups.length,
      capacity: 20_000,
      partition: () => ""
    }),
    ({ submit }) =>
      (lookups) =>
        Effect.suspend(() => submit(lookups.map(wantedOf)))
  )
}
