import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE tasks (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    title text NOT NULL,
    contact_id uuid,
    conversation_id uuid,
    assigned_user_id text,
    assigned_team_id text,
    status text NOT NULL,
    due_at bigint,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX tasks_workspace_id_id ON tasks (workspace_id, id)`,
  `CREATE INDEX tasks_contact_id ON tasks (contact_id)`,
  `CREATE TABLE notifications (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid,
    kind text NOT NULL,
    subject_id text NOT NULL,
    message text NOT NULL,
    created_at bigint NOT NULL
  )`,
  `CREATE INDEX notifications_workspace_id_id ON notifications (workspace_id, id)`,
  `CREATE INDEX notifications_application_id_id ON notifications (application_id, id)`,
  `CREATE TABLE request_log (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid NOT NULL,
    method text NOT NULL,
    path text NOT NULL,
    status bigint NOT NULL,
    duration_ms bigint NOT NULL,
    error_code text,
    created_at bigint NOT NULL
  )`,
  `CREATE INDEX request_log_application_id_id ON request_log (application_id, id)`,
  `CREATE INDEX request_log_workspace_id_id ON request_log (workspace_id, id)`,
  `CREATE INDEX business_events_contact_id ON business_events (contact_id)`,
  // The events of a message, a contact or a lead.
  `CREATE INDEX events_subject_id_id ON events (subject_id, id)`,
  // The agent who wrote the message; and the lists of administrators.
  `ALTER TABLE messages ADD COLUMN agent_id uuid`,
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
