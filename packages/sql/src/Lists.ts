import type { Page, ReadError, Slice, Storage, TableName, Tables } from "@parley/core"
import { Effect, type Scope } from "effect"
import * as Coalescer from "./Coalescer.js"
import { contactQuery, counted, type PagedQuery } from "./contactQuery.js"
import type { Database } from "./Database.js"
import type { Dialect } from "./Dialect.js"
import { idsFrom } from "./history.js"
import { nextConversations } from "./nextConversations.js"
import * as Query from "./Query.js"
import { runStatement } from "./runStatement.js"
import type { Statements } from "./Statements.js"
import { type Column, columnsOf, tableOf } from "./Tables.js"

type Lists = Pick<Storage, "list" | "listColumns" | "listContacts" | "listTemplates" | "listConversations" | "listJobs">

const nothing = { rows: [], total: 0 }

/** The maximum number of lists with a total that wait. */
const maxQueued = 1_000

/** A list with a total, which may read all rows of its workspace. */
interface CountedList {
  readonly workspaceId: string
  readonly text: string
  readonly query: Query.Query
}

/**
 * The paginated lists of the storage. Those with a total run a few at a time, in turn by workspace: all others, and
 * commits, find a connection, however many slow searches there are. One workspace has at most half of the places, and
 * of the queue.
 */
export const make = (
  database: Database,
  dialect: Dialect,
  statements: Statements
): Effect.Effect<Lists, never, Scope.Scope> => {
  const run = (text: string, { parameters }: Query.Query): Effect.Effect<ReadonlyArray<any>, ReadError> =>
    runStatement(database, dialect, { text, parameters })

  const countedLists = Coalescer.make<CountedList, ReadonlyArray<any>, ReadError>({
    run: (lists) =>
      Effect.forEach(lists, ({ query, text }) => Effect.map(run(text, query), (rows) => Effect.succeed(rows))),
    concurrency: dialect.countedLists,
    maxBatch: 1,
    maxWeight: 1,
    weigh: () => 1,
    capacity: maxQueued,
    partition: ({ workspaceId }) => workspaceId,
    share: { running: Math.max(1, Math.floor(dialect.countedLists / 2)), queued: maxQueued / 2 }
  })

  const rowsOf = <T extends TableName>(
    name: T,
    rows: ReadonlyArray<Record<string, unknown>>
  ): ReadonlyArray<Tables[T]> => {
    dialect.decode(tableOf(name), rows)
    return rows as ReadonlyArray<unknown> as ReadonlyArray<Tables[T]>
  }

  /** One page: selects the keys of the page first, then only the rows of those keys. */
  const slice = <T extends TableName>(
    { submit }: Effect.Effect.Success<typeof countedLists>,
    workspaceId: string,
    name: T,
    { given, places, total }: PagedQuery,
    page: { readonly offset: number; readonly limit: number },
    query: Query.Query
  ): Effect.Effect<Slice<Tables[T]>, ReadError> => {
    const table = tableOf(name)
    const placed = `${places} ORDER BY sort, id LIMIT ${query.bind(page.limit)} OFFSET ${query.bind(page.offset)}`
    const text = `${given}SELECT n.total, ${statements.selected(table.columns)}
FROM (${total}) AS n LEFT JOIN (${placed}) AS p ON true LEFT JOIN ${table.sql} AS t ON t.id = p.id
ORDER BY p.sort, p.id`
    return Effect.map(submit({ workspaceId, text, query }), (found) => ({
      // The outer join returns the total also for an empty page.
      rows: rowsOf(
        name,
        found.filter(({ id }) => id !== null).map(({ total: _, ...row }) => row)
      ),
      total: found[0].total
    }))
  }

  const pageOf = <T extends TableName>(
    page: Page<T>,
    columns: ReadonlyArray<Column>
  ): Effect.Effect<ReadonlyArray<Tables[T]>, ReadError> =>
    Effect.suspend(() => {
      const table = tableOf(page.from)
      const query = Query.make(dialect)
      const conditions = query.conditions(table, page.where)
      if (conditions === null) return Effect.succeed([])
      const [oldestFirstBy] = page.oldestFirstBy === undefined ? [] : columnsOf(table, [page.oldestFirstBy])
      const [by, follows, order] = oldestFirstBy === undefined ? ["id", "<", "DESC"] : [oldestFirstBy.sql, ">", "ASC"]
      if (page.after !== null) conditions.push(`t.${by} ${follows} ${query.bind(page.after)}`)
      const [notNull] = page.notNull === undefined ? [] : columnsOf(table, [page.notNull])
      if (notNull !== undefined) conditions.push(`t.${notNull.sql} IS NOT NULL`)
      if (page.since !== undefined) conditions.push(`t.id >= ${query.bind(idsFrom(page.since))}`)
      const where = conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : ""
      const text = `SELECT ${statements.selected(columns)} FROM ${table.sql} AS t${where} ORDER BY t.${by} ${order} LIMIT ${query.bind(page.limit)}`
      return Effect.map(run(text, query), (rows) => rowsOf(page.from, rows))
    })

  return Effect.map(countedLists, (counting) => ({
    list: (page) => pageOf(page, tableOf(page.from).columns),
    listColumns: (page, columns) => pageOf(page, columnsOf(tableOf(page.from), columns)),
    listContacts: (filter, page) =>
      Effect.suspend(() => {
        const query = Query.make(dialect)
        const whole = contactQuery(dialect, query, filter)
        return whole === null
          ? Effect.succeed(nothing)
          : slice(counting, filter.workspaceId, "contacts", whole, page, query)
      }),
    listTemplates: ({ language, status, workspaceId }, page) =>
      Effect.suspend(() => {
        const query = Query.make(dialect)
        const conditions = query.conditions(tableOf("templates"), {
          workspaceId,
          ...(language === null ? {} : { language }),
          ...(status === null ? {} : { status })
        })
        if (conditions === null) return Effect.succeed(nothing)
        const found = `SELECT t.name${dialect.byCodePoint} AS sort, t.id FROM templates AS t WHERE ${conditions.join(" AND ")}`
        return slice(counting, workspaceId, "templates", counted(found), page, query)
      }),
    listJobs: ({ lane, workspaceId }, after, limit) =>
      Effect.suspend(() => {
        const table = tableOf("jobs")
        const query = Query.make(dialect)
        const conditions = query.conditions(table, { lane, ...(workspaceId === null ? {} : { workspaceId }) })
        if (conditions === null) return Effect.succeed([])
        if (after !== null) conditions.push(`(t.due_at, t.id) > (${query.bind(after.dueAt)}, ${query.bind(after.id)})`)
        const text = `SELECT ${statements.selected(table.columns)} FROM ${table.sql} AS t WHERE ${conditions.join(" AND ")} ORDER BY t.due_at, t.id LIMIT ${query.bind(limit)}`
        return Effect.map(run(text, query), (rows) => rowsOf("jobs", rows))
      }),
    listConversations: (filter, after, limit) =>
      Effect.suspend(() => {
        const query = Query.make(dialect)
        const ids = nextConversations(dialect, query, filter, after, limit)
        if (ids === null) return Effect.succeed([])
        const { columns, sql } = tableOf("conversations")
        const text = `SELECT ${statements.selected(columns)} FROM (${ids}) AS p JOIN ${sql} AS t ON t.id = p.id ORDER BY t.last_activity_at DESC, t.id DESC`
        return Effect.map(run(text, query), (rows) => rowsOf("conversations", rows))
      })
  }))
}
