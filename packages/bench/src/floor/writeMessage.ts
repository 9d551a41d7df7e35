import type { TableName } from "@parley/core"
import { tableOf } from "@parley/sql"
import type { Accepted, TableRows } from "./messageRows.js"
import type { Query, Statements } from "./Query.js"

/** Writes one message: an `INSERT` for each table, an `UPDATE` for each row whose last activity changes. */
export function* writeMessage({ active, inserts }: Accepted): Statements<void> {
  for (const insert of inserts) yield insertInto(insert)
  if (active === null) return
  const now = Date.now()
  yield touch("contacts", active.contactId, now)
  yield touch("conversations", active.conversationId, now)
}

const texts = new Map<string, string>()

/** An `INSERT` of rows of one table. */
export const insertInto = ({ rows, table: tableName }: TableRows): Query => {
  const name = `${tableName} ${rows.length}`
  let text = texts.get(name)
  if (text === undefined) {
    text = insertText(tableName, rows.length)
    texts.set(name, text)
  }
  const { columns } = tableOf(tableName)
  const values: Array<unknown> = []
  for (const row of rows as ReadonlyArray<object>) {
    for (const { kind, name } of columns) {
      const value = row[name as keyof typeof row] as unknown
      values.push(kind === "json" && value !== null ? JSON.stringify(value) : value)
    }
  }
  return { name, text, values }
}

const insertText = (tableName: TableName, count: number): string => {
  const { columns, sql } = tableOf(tableName)
  const row = `(${columns.map(() => "?").join(", ")})`
  const rows = Array.from({ length: count }, () => row).join(", ")
  return `INSERT INTO ${sql} (${columns.map((column) => column.sql).join(", ")}) VALUES ${rows}`
}

const touch = (table: "contacts" | "conversations", id: string, now: number): Query => ({
  name: `touch ${table}`,
  text: `UPDATE ${table} SET last_activity_at = ? WHERE id = ? AND last_activity_at < ?`,
  values: [now, id, now]
})
