import type { SqlClient } from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { AnyLookup, Draw, Drawn, Lookup, ReadError } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Dialect } from "./Dialect.js"
import type { Row } from "./gatherBatch.js"
import type { Statements } from "./Statements.js"
import { single } from "./single.js"
import { type Column, canBe, columnsOf, type Table, tableOf, textOf } from "./Tables.js"
import { type BucketAfter, drawTogether } from "./Tokens.js"
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

/** What one caller asks: rows, a token, or both. */
interface Question {
  readonly lookups: ReadonlyArray<Wanted | null>
  readonly draw: Draw | null
}

/** What a {@link Question} comes to: the rows of each lookup, and what was drawn, null where nothing was to be. */
export interface Reply {
  readonly rows: ReadonlyArray<ReadonlyArray<Row>>
  readonly drawn: Drawn | null
}

type Ask = (lookups: ReadonlyArray<AnyLookup | null>, draw: Draw | null) => Effect.Effect<Reply, ReadError>

/**
 * Looks rows up and draws tokens, in batches: the questions of all callers of a moment, one statement for all who ask for
 * rows the same way, and one for all draws.
 */
export const make = (
  sql: SqlClient,
  dialect: Dialect,
  statements: Statements
): Effect.Effect<Ask, never, Scope.Scope> => {
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
    // what was found by an attempt that failed later on
    found.clear()
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

  /** The lookups of a batch by the way they ask. */
  const gather = (batch: ReadonlyArray<Question>) => {
    const queries = new Map<string, Query>()
    const queryOf = batch.map(({ lookups }) => {
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
    return { queries, queryOf }
  }

  const run = (batch: ReadonlyArray<Question>) =>
    Effect.suspend(() => {
      const { queries, queryOf } = gather(batch)
      const wished = batch.flatMap(({ draw }) => draw ?? [])
      const draws = wished.length === 0 ? null : drawTogether(wished)
      let after: ReadonlyArray<BucketAfter> = []
      const statementsOf = (connection: Connection): ReadonlyArray<Effect.Effect<void, SqlError>> => {
        const works = [...queries.values()].map((query) => fill(connection, [...query.values()]))
        if (draws === null) return works
        const drawing = Effect.map(dialect.draw(connection, draws.json), (buckets) => {
          after = buckets
        })
        return [...works, drawing]
      }
      const asked =
        queries.size === 0 && draws === null
          ? Effect.void
          : single(sql, dialect, (connection) => together(statementsOf(connection)))
      return Effect.map(asked, () => {
        const drawnOf = draws?.drawnOf(after)
        return batch.map(({ draw, lookups }, i) =>
          Effect.succeed<Reply>({
            rows: lookups.map((lookup) =>
              lookup === null ? nothing : (queryOf[i]?.get(lookup.shape)?.found.get(lookup.text) ?? nothing)
            ),
            drawn: draw === null ? null : (drawnOf?.(draw) ?? null)
          })
        )
      })
    })

  return Effect.map(
    Coalescer.make<Question, Reply, ReadError>({
      run,
      ...dialect.reads,
      maxBatch: 500,
      maxWeight: 2_000,
      weigh: ({ lookups }) => lookups.length + 1,
      capacity: 20_000,
      partition: () => ""
    }),
    ({ submit }) =>
      (lookups, draw) =>
        Effect.suspend(() => submit({ lookups: lookups.map(wantedOf), draw }))
  )
}
