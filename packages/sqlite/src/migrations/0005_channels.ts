import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  // Until when a provider's throttle holds the connection.
  `ALTER TABLE connections ADD COLUMN held_until INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE connections ADD COLUMN held_ms INTEGER NOT NULL DEFAULT 0`,
  // Receipts up to a time, and the length of the feed.
  `ALTER TABLE conversations ADD COLUMN delivered_up_to INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN read_up_to INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN fed INTEGER NOT NULL DEFAULT 0`,
  `CREATE TABLE feed (
    conversation_id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    workspace_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    PRIMARY KEY (conversation_id, sequence)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE attached_files (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    status TEXT NOT NULL,
    reference TEXT,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX attached_files_message_id ON attached_files (message_id)`,
  `CREATE TABLE unknown_events (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    raw TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX unknown_events_connection_id_id ON unknown_events (connection_id, id)`,
  // The virtual time of a slot queue, the last interval taken, and until when the row is needed.
  `CREATE TABLE send_slots (
    key TEXT NOT NULL PRIMARY KEY,
    next_us INTEGER NOT NULL,
    taken_us INTEGER NOT NULL,
    kept_until INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX send_slots_kept_until ON send_slots (kept_until)`,
  // Lists of one contact, newest first.
  `CREATE INDEX tasks_contact_id_id ON tasks (contact_id, id)`,
  `CREATE INDEX business_events_contact_id_id ON business_events (contact_id, id)`,
  `CREATE INDEX leads_contact_id_id ON leads (contact_id, id)`,
  `DROP INDEX tasks_contact_id`,
  `DROP INDEX business_events_contact_id`,
  `DROP INDEX leads_contact_id`
]

/** The tables of channels: throttles, receipts up to a time, feeds, files, and unknown events. */
export const channels = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
