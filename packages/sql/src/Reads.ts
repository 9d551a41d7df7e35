import type { AnyLookup, Lookup, RateToken, RateTokenRequest, ReadError } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import type { Database, Step } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { getOrMake, push } from "./getOrMake.js"
import { runIndependent } from "./runStatement.js"
import type { Statements } from "./Statements.js"
import { type Column, canBe, columnsOf, type Row, type Table, tableOf, textOf } from "./Tables.js"
import { type BucketAfter, batchTokenRequests } from "./Tokens.js"

/** The form of a lookup: the table and the compared columns. Lookups of one shape share a select. */
interface Shape {
  readonly id: number
  readonly table: Table
  readonly by: ReadonlyArray<Column>
  readonly nulls: ReadonlyArray<Column>
}

/** A lookup with its values as the database compares them, and these values as text. */
interface LookupKey {
  readonly shape: Shape
  readonly values: Row
  readonly text: string
}

/** The lookups of a query that have one shape, and the rows found, by the text of the values. */
interface Group {
  readonly shape: Shape
  readonly wanted: Map<string, Row>
  readonly found: Map<string, Array<Row>>
}

/** The lookups of all callers that request the same set of shapes. They share one statement. */
type Query = Map<Shape, Group>

const want = (query: Query, { shape, text, values }: LookupKey) => {
  getOrMake(query, shape, () => ({ shape, wanted: new Map(), found: new Map() })).wanted.set(text, values)
}

const nothing: ReadonlyArray<Row> = []

/** The values of a lookup as the database compares them, or null if no row can match. */
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

/** The request of one caller: rows, rate tokens, or both. */
interface ReadRequest {
  readonly lookups: ReadonlyArray<LookupKey | null>
  readonly tokenRequests: ReadonlyArray<RateTokenRequest>
}

/** The rows of each lookup, and the result of each token request. */
export interface ReadReply {
  readonly rows: ReadonlyArray<ReadonlyArray<Row>>
  readonly rateTokens: ReadonlyArray<RateToken>
}

type Ask = (
  lookups: ReadonlyArray<AnyLookup | null>,
  tokenRequests: ReadonlyArray<RateTokenRequest>
) => Effect.Effect<ReadReply, ReadError>

/**
 * Looks rows up and takes rate tokens in batches: one statement for all callers that request the same shapes, and one
 * for all token requests.
 */
export const make = (
  database: Database,
  dialect: Dialect,
  statements: Statements
): Effect.Effect<Ask, never, Scope.Scope> => {
  const shapes = new Map<string, Shape>()
  const shapeOf = (lookup: Lookup<any>): Shape => {
    const where = lookup.where as Row
    let text: string = lookup.from
    for (const name in where) text += where[name] === null ? ` ${name}=` : ` ${name}`
    return getOrMake(shapes, text, () => {
      const table = tableOf(lookup.from)
      const columns = columnsOf(table, Object.keys(where))
      return {
        id: shapes.size,
        table,
        by: columns.filter((column) => where[column.name] !== null),
        nulls: columns.filter((column) => where[column.name] === null)
      }
    })
  }

  /** Null if no row can match. */
  const lookupKeyOf = (lookup: Lookup<any> | null): LookupKey | null => {
    if (lookup === null) return null
    const shape = shapeOf(lookup)
    const values = comparable(shape.by, lookup.where as Row)
    return values === null ? null : { shape, values, text: textOf(shape.by, values) }
  }

  const keep = ({ found, shape: { by, table } }: Group, rows: ReadonlyArray<Row>) => {
    // Drop the rows of an earlier attempt that failed later.
    found.clear()
    dialect.decode(table, rows)
    for (const row of rows) push(found, textOf(by, row), row)
  }

  const fill = (groups: ReadonlyArray<Group>): Step =>
    statements.findAll(
      groups.map(({ shape: { by, nulls, table }, wanted }) => ({
        bulk: statements.find(table, by, nulls),
        rows: [...wanted.values()]
      })),
      (found) => {
        for (const [i, group] of groups.entries()) keep(group, found[i] as ReadonlyArray<Row>)
      }
    )

  /** The lookups of a batch, grouped by the set of shapes requested. */
  const gather = (batch: ReadonlyArray<ReadRequest>) => {
    const queries = new Map<string, Query>()
    const queryOf = batch.map(({ lookups }) => {
      let id = ""
      for (const shape of new Set(lookups.map((lookup) => lookup?.shape))) if (shape !== undefined) id += `${shape.id},`
      const query = getOrMake(queries, id, (): Query => new Map())
      for (const lookup of lookups) if (lookup !== null) want(query, lookup)
      return query
    })
    queries.delete("")
    return { queries, queryOf }
  }

  const run = (batch: ReadonlyArray<ReadRequest>) =>
    Effect.suspend(() => {
      const { queries, queryOf } = gather(batch)
      const requests = batch.flatMap(({ tokenRequests }) => tokenRequests)
      const tokenBatch = requests.length === 0 ? null : batchTokenRequests(requests)
      let after: ReadonlyArray<BucketAfter> = []
      const steps = [...queries.values()].map((query) => fill([...query.values()]))
      if (tokenBatch !== null) {
        const receive: Step["receive"] = ([buckets = []]) => {
          after = buckets
        }
        steps.push({ statements: [dialect.takeTokens(tokenBatch.json)], receive })
      }
      const done = steps.length === 0 ? Effect.void : runIndependent(database, dialect, steps)
      return Effect.map(done, () => {
        const tokenOf = tokenBatch?.tokenOf(after)
        return batch.map(({ tokenRequests, lookups }, i) =>
          Effect.succeed<ReadReply>({
            rows: lookups.map((lookup) =>
              lookup === null ? nothing : (queryOf[i]?.get(lookup.shape)?.found.get(lookup.text) ?? nothing)
            ),
            rateTokens: tokenOf === undefined ? [] : tokenRequests.map(tokenOf)
          })
        )
      })
    })

  return Effect.map(
    Coalescer.make<ReadRequest, ReadReply, ReadError>({
      run,
      ...dialect.reads,
      maxBatch: 500,
      maxWeight: 2_000,
      weigh: ({ lookups, tokenRequests }) => lookups.length + Math.max(1, tokenRequests.length),
      capacity: 20_000,
      partition: () => "",
      abandons: true
    }),
    ({ submit }) =>
      (lookups, tokenRequests) =>
        Effect.suspend(() => submit({ lookups: lookups.map(lookupKeyOf), tokenRequests }))
  )
}
