import { tableOf } from "@parley/sql"
import Database from "better-sqlite3"
import { insertInto, valuesOf } from "./insertInto.js"
import type { Accepted } from "./messageRows.js"

/** A database as an application has it: WAL, durable commits. */
export const openFile = (file: string): Database.Database => {
  const database = new Database(file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  return database
}

/** What writes one message, row by row, with statements that are prepared once. */
export const writer = (database: Database.Database): ((accepted: Accepted) => void) => {
  const inserts = new Map<string, Database.Statement>()
  const insertOf = (table: Accepted["inserts"][number]["table"]) => {
    let statement = inserts.get(table)
    if (statement === undefined) {
      statement = database.prepare(insertInto(table, 1, () => "?"))
      inserts.set(table, statement)
    }
    return statement
  }
  const touch = (table: string) =>
    database.prepare(`UPDATE ${table} SET last_activity_at = max(last_activity_at, ?) WHERE id = ?`)
  const contact = touch("contacts")
  const conversation = touch("conversations")
  return (accepted) => {
    for (const { rows, table } of accepted.inserts) {
      for (const row of rows) insertOf(table).run(valuesOf(tableOf(table), row, true))
    }
    if (accepted.active === null) return
    const now = Date.now()
    contact.run(now, accepted.active.contactId)
    conversation.run(now, accepted.active.conversationId)
  }
}
