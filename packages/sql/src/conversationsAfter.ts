import { type ConversationFilter, ConversationStatus, type Storage } from "@parley/core"
import type { Dialect } from "./Dialect.js"
import type { Query } from "./Query.js"
import { type Column, canBe, columnsOf, tableOf } from "./Tables.js"

const table = tableOf("conversations")
const [connection, contact] = columnsOf(table, ["connectionId", "contactId"]) as [Column, Column]

const newestFirst = "t.last_activity_at DESC, t.id DESC"

/**
 * A select of the ids of the next conversations, or null where there can be none. Those of one contact are few. Else the
 * index has them in order for each connection and status: a few are taken of each, and the newest of those are the page, so
 * that the last page costs what the first one does.
 */
export const conversationsAfter = (
  dialect: Dialect,
  query: Query,
  { connectionIds, contactId, status }: ConversationFilter,
  after: Parameters<Storage["listConversations"]>[1],
  limit: number
): string | null => {
  const isAfter = () =>
    after === null
      ? []
      : [`(t.last_activity_at, t.id) < (${query.bind(after.lastActivityAt)}, ${query.bind(after.id)})`]

  if (contactId !== null) {
    if (!canBe(contact, contactId)) return null
    const own = dialect.lookUp(query.rows([contact], [{ contactId }]), table.sql, 't.contact_id = v."contactId"', "")
    const conditions = query.conditions(table, { connectionId: connectionIds, ...(status === null ? {} : { status }) })
    return conditions === null
      ? null
      : `SELECT t.id FROM ${own} WHERE ${[...conditions, ...isAfter()].join(" AND ")} ORDER BY ${newestFirst} LIMIT ${query.bind(limit)}`
  }

  const statuses = status === null ? ConversationStatus.literals : [status]
  const ranges = [...new Set(connectionIds)]
    .filter((connectionId) => canBe(connection, connectionId))
    .flatMap((connectionId) => statuses.map((status) => ({ connectionId, status })))
  if (ranges.length === 0) return null
  const rows = query.rows(columnsOf(table, ["connectionId", "status"]), ranges)
  const conditions = [`t.connection_id = v."connectionId"`, `t.status = v."status"`, ...isAfter()].join(" AND ")
  const heads = dialect.firstOf(rows, table.sql, conditions, newestFirst, query.bind(limit))
  return `SELECT t.id FROM ${heads} ORDER BY ${newestFirst} LIMIT ${query.bind(limit)}`
}
