import Database from "better-sqlite3"
import Pg from "pg"
import { query, type Store } from "../world/Store.js"

/** Durable once it returns. */
export type KeepPayload = (messageId: string, payload: string) => Promise<unknown>

const table = "CREATE TABLE payloads (provider_message_id TEXT PRIMARY KEY, payload TEXT NOT NULL)"

/** Stores the raw payload of a vendor: one INSERT on one of 16 connections, or on SQLite with `synchronous=FULL`. */
export const keepPayload = async (store: Store): Promise<KeepPayload> => {
  if (store.kind === "postgres") {
    await query(store.url, table)
    const pool = new Pg.Pool({ connectionString: store.url, max: 16 })
    const text = "INSERT INTO payloads VALUES ($1, $2)"
    return (...values) => pool.query({ name: "keep", text, values })
  }
  const database = new Database(store.file)
  database.pragma("journal_mode = WAL")
  database.pragma("synchronous = FULL")
  database.exec(table)
  const insert = database.prepare("INSERT INTO payloads VALUES (?, ?)")
  return async (...values) => insert.run(...values)
}
