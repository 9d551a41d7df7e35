import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  // Automations use the timezone of their workspace.
  `ALTER TABLE workspaces ADD COLUMN timezone text NOT NULL DEFAULT 'UTC'`,
  // The definition of a workflow: the edited version and the published ones.
  `ALTER TABLE workflows ADD COLUMN definition json NOT NULL DEFAULT '{"conditions":null,"actions":[]}'`,
  `ALTER TABLE workflows ADD COLUMN version_id uuid`,
  `ALTER TABLE workflows ADD COLUMN versions bigint NOT NULL DEFAULT 0`,
  `ALTER TABLE workflows ADD COLUMN edited boolean NOT NULL DEFAULT true`,
  `ALTER TABLE workflows ADD COLUMN secret text`,
  `CREATE TABLE workflow_versions (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    workflow_id uuid NOT NULL,
    number bigint NOT NULL,
    definition json NOT NULL,
    created_at bigint NOT NULL
  )`,
  `CREATE INDEX workflow_versions_workflow_id_id ON workflow_versions (workflow_id, id)`,
  `CREATE TABLE workflow_runs (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    workflow_id uuid NOT NULL,
    version_id uuid NOT NULL,
    application_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    business_event_id uuid NOT NULL,
    event_name text NOT NULL,
    data json NOT NULL,
    status text NOT NULL,
    position bigint NOT NULL,
    pending json,
    steps json NOT NULL,
    reason text,
    created_at bigint NOT NULL,
    ended_at bigint,
    version bigint NOT NULL
  ) WITH (fillfactor = 85)`,
  `CREATE INDEX workflow_runs_workflow_id_id ON workflow_runs (workflow_id, id)`,
  `CREATE INDEX workflow_runs_contact_id_id ON workflow_runs (contact_id, id)`,
  `CREATE INDEX workflow_runs_workspace_id_id ON workflow_runs (workspace_id, id)`,
  `CREATE TABLE run_keys (
    workflow_id uuid NOT NULL,
    application_id uuid NOT NULL,
    key text NOT NULL,
    workspace_id uuid NOT NULL,
    run_id uuid NOT NULL,
    PRIMARY KEY (application_id, key, workflow_id)
  )`,
  // Bots, their sessions, and the sender of a message.
  `CREATE TABLE bots (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    script json NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX bots_workspace_id_id ON bots (workspace_id, id)`,
  `CREATE TABLE bot_sessions (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    bot_id uuid NOT NULL,
    bot_name text NOT NULL,
    script json NOT NULL,
    conversation_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    connection_id uuid NOT NULL,
    application_id uuid,
    workflow_run_id uuid,
    status text NOT NULL,
    outcome text,
    step text,
    tries bigint NOT NULL,
    answers json NOT NULL,
    taken_up_to uuid NOT NULL,
    started_at bigint NOT NULL,
    expires_at bigint NOT NULL,
    ended_at bigint,
    version bigint NOT NULL
  ) WITH (fillfactor = 85)`,
  `CREATE INDEX bot_sessions_bot_id_id ON bot_sessions (bot_id, id)`,
  `CREATE INDEX bot_sessions_conversation_id_id ON bot_sessions (conversation_id, id)`,
  `CREATE INDEX bot_sessions_contact_id_id ON bot_sessions (contact_id, id)`,
  `ALTER TABLE conversations ADD COLUMN bot_session_id uuid`,
  `ALTER TABLE messages ADD COLUMN workflow_run_id uuid`,
  `ALTER TABLE messages ADD COLUMN bot_session_id uuid`,
  `ALTER TABLE messages ADD COLUMN html text`,
  // The notifications of a run.
  `CREATE INDEX notifications_subject_id_id ON notifications (subject_id, id)`,
  // Receipts without a message. Sends and receipts update this index only while such receipts wait.
  `CREATE INDEX provider_messages_created_at_parked ON provider_messages (created_at) WHERE message_id IS NULL`
]

/** The tables of automations: definitions and their versions, runs, bots and their sessions. */
export const automations = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
