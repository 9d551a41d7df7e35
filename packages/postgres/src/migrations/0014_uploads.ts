import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements = [
  `CREATE TABLE uploads (
    id uuid NOT NULL PRIMARY KEY,
    workspace_id uuid NOT NULL,
    application_id uuid NOT NULL,
    content_type text NOT NULL,
    file_name text,
    size bigint NOT NULL,
    sent boolean NOT NULL,
    expires_at bigint NOT NULL,
    created_at bigint NOT NULL,
    version bigint NOT NULL
  )`,
  `CREATE INDEX uploads_application_id_sent_id ON uploads (application_id, sent, id)`,
  `ALTER TABLE attached_files ADD COLUMN upload_id uuid`,
  `CREATE INDEX attached_files_upload_id ON attached_files (upload_id) WHERE upload_id IS NOT NULL`
]

/** Files that applications upload to send them, and the files of messages that share their bytes. */
export const uploads = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
