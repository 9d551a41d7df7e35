import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE oauth_clients (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    client_id TEXT NOT NULL,
    secret_hash TEXT NOT NULL,
    last_four TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE UNIQUE INDEX oauth_clients_client_id ON oauth_clients (client_id)`,
  `CREATE INDEX oauth_clients_application_id_id ON oauth_clients (application_id, id)`,
  `CREATE TABLE access_tokens (
    hash TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    oauth_client_id TEXT NOT NULL,
    client_version INTEGER NOT NULL,
    scopes TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at)`,
  `CREATE TABLE agents (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    email TEXT,
    status TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX agents_workspace_id_id ON agents (workspace_id, id)`,
  `CREATE TABLE teams (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    agent_ids TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX teams_workspace_id_id ON teams (workspace_id, id)`,
  `CREATE TABLE pipelines (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    stages TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX pipelines_workspace_id_id ON pipelines (workspace_id, id)`,
  `CREATE TABLE leads (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    pipeline_id TEXT NOT NULL,
    stage TEXT NOT NULL,
    title TEXT,
    value TEXT,
    currency TEXT,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX leads_workspace_id_id ON leads (workspace_id, id)`,
  `CREATE INDEX leads_contact_id ON leads (contact_id)`,
  `CREATE INDEX leads_pipeline_id_stage_id ON leads (pipeline_id, stage, id)`,
  `CREATE TABLE workflows (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL,
    event_name TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX workflows_workspace_id_id ON workflows (workspace_id, id)`,
  `CREATE INDEX workflows_workspace_id_event_name ON workflows (workspace_id, event_name)`,
  `CREATE TABLE business_events (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    name TEXT NOT NULL,
    contact_id TEXT NOT NULL,
    dedupe_key TEXT,
    idempotency_key TEXT NOT NULL,
    data TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX business_events_workspace_id_id ON business_events (workspace_id, id)`,
  `CREATE INDEX business_events_created_at ON business_events (created_at)`,
  // Finds the due jobs of a subject without a scan of other subjects' jobs.
  `CREATE INDEX jobs_lane_subject_due_at_id ON jobs (lane, subject, due_at, id)`
]

/**
 * The tables of the public interface beyond messages: OAuth clients, leads, agents, workflows and business events; and
 * an index for the queue.
 */
export const publicInterface = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
