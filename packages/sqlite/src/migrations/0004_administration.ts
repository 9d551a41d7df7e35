import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE tasks (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    title TEXT NOT NULL,
    contact_id TEXT,
    conversation_id TEXT,
    assigned_user_id TEXT,
    assigned_team_id TEXT,
    status TEXT NOT NULL,
    due_at INTEGER,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX tasks_workspace_id_id ON tasks (workspace_id, id)`,
  `CREATE INDEX tasks_contact_id ON tasks (contact_id)`,
  `CREATE TABLE notifications (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT,
    kind TEXT NOT NULL,
    subject_id TEXT NOT NULL,
    message TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX notifications_workspace_id_id ON notifications (workspace_id, id)`,
  `CREATE INDEX notifications_application_id_id ON notifications (application_id, id)`,
  `CREATE TABLE request_log (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    status INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    error_code TEXT,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX request_log_application_id_id ON request_log (application_id, id)`,
  `CREATE INDEX request_log_workspace_id_id ON request_log (workspace_id, id)`,
  `CREATE INDEX business_events_contact_id ON business_events (contact_id)`,
  // The events of a message, a contact or a lead.
  `CREATE INDEX events_subject_id_id ON events (subject_id, id)`,
  // The agent who wrote the message; and the lists of administrators.
  `ALTER TABLE messages ADD COLUMN agent_id TEXT`,
  `CREATE INDEX messages_workspace_id_id ON messages (workspace_id, id)`,
  `CREATE INDEX conversations_assigned_user_id_last_activity_at_id
  ON conversations (assigned_user_id, last_activity_at, id) WHERE assigned_user_id IS NOT NULL`,
  `CREATE INDEX conversations_assigned_team_id_last_activity_at_id
  ON conversations (assigned_team_id, last_activity_at, id) WHERE assigned_team_id IS NOT NULL`,
  // The age of events is read from their ids.
  `DROP INDEX events_created_at`,
  `DROP INDEX deliveries_created_at`,
  `DROP INDEX attempts_started_at`,
  `DROP INDEX business_events_created_at`
]

/** The tables of administration: tasks, notifications and the request log; and the events of one subject. */
export const administration = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
