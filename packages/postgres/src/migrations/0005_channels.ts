import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  // Until when a provider's throttle holds the connection.
  `ALTER TABLE connections ADD COLUMN held_until bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE connections ADD COLUMN held_ms bigint NOT NULL DEFAULT 0`,
  // Receipts up to a time, and the length of the feed.
  `ALTER TABLE conversations ADD COLUMN delivered_up_to bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN read_up_to bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE conversations ADD COLUMN fed bigint NOT NULL DEFAULT 0`,
  `CREATE TABLE feed (
    conversation_id uuid NOT NULL,
    sequence bigint NOT NULL,
    workspace_id uuid NOT NULL,
    message_id uuid NOT NULL,
    PRIMARY KEY (conversation_id, sequence)
  )`,
  `CREATE TABLE attached_files (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    message_id uuid NOT NULL,
    status text NOT NULL,
    reference text,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX attached_files_message_id ON attached_files (message_id)`,
  `CREATE TABLE unknown_events (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    kind text NOT NULL,
    raw text NOT NULL,
    created_at bigint NOT NULL
  )`,
  `CREATE INDEX unknown_events_connection_id_id ON unknown_events (connection_id, id)`,
  // The virtual time of a slot queue, the last interval taken, and until when the row is needed.
  `CREATE TABLE send_slots (
    key text NOT NULL PRIMARY KEY,
    next_us bigint NOT NULL,
    taken_us bigint NOT NULL,
    kept_until bigint NOT NULL
  ) WITH (fillfactor = 85)`,
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
