import { type ConversationFilter, ConversationStatus, type Storage } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import type { Query } from "./Query.js"
import { canBe, columnsOf, tableOf } from "./Tables.js"

const table = tableOf("conversations")
const newestFirst = "t.last_activity_at DESC, t.id DESC"

/**
 * A select of the ids of the next conversations, or null if there can be none. A contact has few conversations: they
 * are selected and sorted. Otherwise an index has the conversations in order for each range (an assignee, or a
 * connection and a status). The select takes one page of each range and returns the newest rows of those, so that the
 * last page costs as much as the first.
 */
export const nextConversations = (
  dialect: Dialect,
  query: Query,
  filter: ConversationFilter,
  after: Parameters<Storage["listConversations"]>[1],
  limit: number
): string | null => {
  const ranges = rangesOf(filter)
  const [range] = ranges
  if (range === undefined) return null
  const columns = columnsOf(table, Object.keys(range))
  const possible = ranges.filter((one) => columns.every((column) => canBe(column, one[column.name])))
  if (possible.length === 0) return null

  const rows = query.rows(columns, possible)
  const within = columns.map(({ name, sql }) => `t.${sql} = v."${name}"`)
  const others = query.conditions(
    table,
    Object.fromEntries(Object.entries(equalityFilters(filter)).filter(([name]) => !(name in range)))
  )
  if (others === null) return null
  const isAfter =
    after === null
      ? []
      : [`(t.last_activity_at, t.id) < (${query.bind(after.lastActivityAt)}, ${query.bind(after.id)})`]
  const maxRows = () => query.bind(limit)
  if ("contactId" in range) {
    const own = dialect.lookUp(rows, table.sql, within.join(" AND "), "")
    const conditions = [...others, ...isAfter]
    const where = conditions.length === 0 ? "" : ` WHERE ${conditions.join(" AND ")}`
    return `SELECT t.id FROM ${own}${where} ORDER BY ${newestFirst} LIMIT ${maxRows()}`
  }
  const heads = dialect.firstOf(
    rows,
    table.sql,
    [...within, ...others, ...isAfter].join(" AND "),
    newestFirst,
    maxRows()
  )
  return `SELECT t.id FROM ${heads} ORDER BY ${newestFirst} LIMIT ${maxRows()}`
}

/** The equality conditions of a filter. */
const equalityFilters = ({
  connectionIds,
  contactId,
  status,
  ...others
}: ConversationFilter): { readonly [column: string]: unknown } => ({
  ...(connectionIds === null ? {} : { connectionId: connectionIds }),
  ...(contactId === null ? {} : { contactId }),
  ...(status === null ? {} : { status }),
  ...others
})

/** The values of the first columns of an index, one entry for each range to read. */
const rangesOf = ({
  assignedTeamId,
  assignedUserId,
  connectionIds,
  contactId,
  status
}: ConversationFilter): ReadonlyArray<{ readonly [column: string]: string }> => {
  if (contactId !== null) return [{ contactId }]
  if (assignedUserId != null) return [{ assignedUserId }]
  if (assignedTeamId !== undefined) return [{ assignedTeamId }]
  const statuses = status === null ? ConversationStatus.literals : [status]
  return [...new Set(connectionIds)].flatMap((connectionId) => statuses.map((status) => ({ connectionId, status })))
}
