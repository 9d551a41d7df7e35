import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements: ReadonlyArray<string> = [
  `CREATE TABLE oauth_clients (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid NOT NULL,
    client_id text NOT NULL,
    secret_hash text NOT NULL,
    last_four text NOT NULL,
    created_at bigint NOT NULL,
    revoked_at bigint,
    version bigint NOT NULL
  )`,
  `CREATE UNIQUE INDEX oauth_clients_client_id ON oauth_clients (client_id)`,
  `CREATE INDEX oauth_clients_application_id_id ON oauth_clients (application_id, id)`,
  `CREATE TABLE access_tokens (
    hash text NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid NOT NULL,
    oauth_client_id uuid NOT NULL,
    client_version bigint NOT NULL,
    scopes json NOT NULL,
    created_at bigint NOT NULL,
    expires_at bigint NOT NULL
  )`,
  `CREATE INDEX access_tokens_expires_at ON access_tokens (expires_at)`,
  `CREATE TABLE agents (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    email text,
    status text NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX agents_workspace_id_id ON agents (workspace_id, id)`,
  `CREATE TABLE teams (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    agent_ids json NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX teams_workspace_id_id ON teams (workspace_id, id)`,
  `CREATE TABLE pipelines (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    stages json NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX pipelines_workspace_id_id ON pipelines (workspace_id, id)`,
  `CREATE TABLE leads (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    contact_id uuid NOT NULL,
    pipeline_id uuid NOT NULL,
    stage text NOT NULL,
    title text,
    value json,
    currency text,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX leads_workspace_id_id ON leads (workspace_id, id)`,
  `CREATE INDEX leads_contact_id ON leads (contact_id)`,
  `CREATE INDEX leads_pipeline_id_stage_id ON leads (pipeline_id, stage, id)`,
  `CREATE TABLE workflows (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    name text NOT NULL,
    status text NOT NULL,
    event_name text NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX workflows_workspace_id_id ON workflows (workspace_id, id)`,
  `CREATE INDEX workflows_workspace_id_event_name ON workflows (workspace_id, event_name)`,
  `CREATE TABLE business_events (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid NOT NULL,
    name text NOT NULL,
    contact_id uuid NOT NULL,
    dedupe_key text,
    idempotency_key text NOT NULL,
    data json NOT NULL,
    created_at bigint NOT NULL
  )`,
  `CREATE INDEX business_events_workspace_id_id ON business_events (workspace_id, id)`,
  `CREATE INDEX business_events_created_at ON business_events (created_at)`,
  // Finds the due jobs of a subject without a scan of other subjects' jobs.
  `CREATE INDEX jobs_lane_subject_due_at_id ON jobs (lane, subject COLLATE "C", due_at, id)`
]

/**
 * The tables of the public interface beyond messages: OAuth clients, leads, agents, workflows and business events; and
 * an index for the queue.
 */
export const publicInterface = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
