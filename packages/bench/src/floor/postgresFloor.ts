import { tableOf } from "@parley/sql"
import Pg from "pg"
import { insertInto, valuesOf } from "./insertInto.js"
import type { Accepted } from "./messageRows.js"

/** A pool as an application has it: 16 connections, durable commits. */
export const makePool = (url: string): Pg.Pool => new Pg.Pool({ connectionString: url, max: 16 })

const statements = new Map<string, string>()

const insertText = (table: Accepted["inserts"][number]["table"], count: number): string => {
  const name = `${table} ${count}`
  let text = statements.get(name)
  if (text === undefined) {
    text = insertInto(table, count, (n) => `$${n}`)
    statements.set(name, text)
  }
  return text
}

/** Runs in a transaction on a connection of its own. */
export const inTransaction = async <A>(pool: Pg.Pool, work: (client: Pg.PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await work(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}

/** Writes one message, statement by statement. Each is prepared once on each connection. */
export const write = async (client: Pg.PoolClient, { active, inserts }: Accepted): Promise<void> => {
  for (const { rows, table } of inserts) {
    const values = rows.flatMap((row) => valuesOf(tableOf(table), row, false))
    await client.query({ name: `${table} ${rows.length}`, text: insertText(table, rows.length), values })
  }
  if (active === null) return
  const now = Date.now()
  await client.query({
    name: "contact",
    text: "UPDATE contacts SET last_activity_at = greatest(last_activity_at, $1) WHERE id = $2",
    values: [now, active.contactId]
  })
  await client.query({
    name: "conversation",
    text: "UPDATE conversations SET last_activity_at = greatest(last_activity_at, $1) WHERE id = $2",
    values: [now, active.conversationId]
  })
}
