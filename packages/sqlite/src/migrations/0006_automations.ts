import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  // Automations use the timezone of their workspace.
  `ALTER TABLE workspaces ADD COLUMN timezone TEXT NOT NULL DEFAULT 'UTC'`,
  // The definition of a workflow: the edited version and the published ones.
  `ALTER TABLE workflows ADD COLUMN definition TEXT NOT NULL DEFAULT '{"conditions":null,"actions":[]}'`,
  `ALTER TABLE workflows ADD COLUMN version_id TEXT`,
  `ALTER TABLE workflows ADD COLUMN versions INTEGER NOT NULL DEFAULT 0`,
  `ALTER TABLE workflows ADD COLUMN edited INTEGER NOT NULL DEFAULT 1`,
  `ALTER TABLE workflows ADD COLUMN secret TEXT`,
  `CREATE TABLE workflow_versions (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    number INTEGER NOT NULL,
    definition TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX workflow_versions_workflow_id_id ON workflow_versions (workflow_id, id)`,
  `CREATE TABLE workflow_runs (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    workflow_id TEXT NOT NULL,
    version_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    business_event_id TEXT NOT NULL,
    event_name TEXT NOT NULL,
    data TEXT NOT NULL,
    status TEXT NOT NULL,
    position INTEGER NOT NULL,
    pending TEXT,
    steps TEXT NOT NULL,
    reason TEXT,
    created_at INTEGER NOT NULL,
    ended_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX workflow_runs_workflow_id_id ON workflow_runs (workflow_id, id)`,
  `CREATE INDEX workflow_runs_contact_id_id ON workflow_runs (contact_id, id)`,
  `CREATE INDEX workflow_runs_workspace_id_id ON workflow_runs (workspace_id, id)`,
  `CREATE TABLE run_keys (
    workflow_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    key TEXT NOT NULL,
    workspace_id TEXT NOT NULL,
    run_id TEXT NOT NULL,
    PRIMARY KEY (application_id, key, workflow_id)
  ) STRICT, WITHOUT ROWID`,
  // Bots, their sessions, and the sender of a message.
  `CREATE TABLE bots (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    script TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX bots_workspace_id_id ON bots (workspace_id, id)`,
  `CREATE TABLE bot_sessions (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    bot_id TEXT NOT NULL,
    bot_name TEXT NOT NULL,
    script TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    connection_id TEXT NOT NULL,
    application_id TEXT,
    workflow_run_id TEXT,
    status TEXT NOT NULL,
    outcome TEXT,
    step TEXT,
    tries INTEGER NOT NULL,
    answers TEXT NOT NULL,
    taken_up_to TEXT NOT NULL,
    started_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    ended_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX bot_sessions_bot_id_id ON bot_sessions (bot_id, id)`,
  `CREATE INDEX bot_sessions_conversation_id_id ON bot_sessions (conversation_id, id)`,
  `CREATE INDEX bot_sessions_contact_id_id ON bot_sessions (contact_id, id)`,
  `ALTER TABLE conversations ADD COLUMN bot_session_id TEXT`,
  `ALTER TABLE messages ADD COLUMN workflow_run_id TEXT`,
  `ALTER TABLE messages ADD COLUMN bot_session_id TEXT`,
  `ALTER TABLE messages ADD COLUMN html TEXT`,
  // The notifications of a run.
  `CREATE INDEX notifications_subject_id_id ON notifications (subject_id, id)`,
  // Receipts without a message. Sends and receipts update this index only while such receipts wait.
  `CREATE INDEX provider_messages_created_at_parked ON provider_messages (created_at) WHERE message_id IS NULL`
]

/** The tables of automations: definitions and their versions, runs, bots and their sessions. */
export const automations = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
