import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

const statements = [
  `CREATE TABLE uploads (
    id TEXT NOT NULL PRIMARY KEY,
    workspace_id TEXT NOT NULL,
    application_id TEXT NOT NULL,
    content_type TEXT NOT NULL,
    file_name TEXT,
    size INTEGER NOT NULL,
    sent INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    version INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX uploads_application_id_sent_id ON uploads (application_id, sent, id)`,
  `ALTER TABLE attached_files ADD COLUMN upload_id TEXT`,
  `CREATE INDEX attached_files_upload_id ON attached_files (upload_id) WHERE upload_id IS NOT NULL`
]

/** Files that applications upload to send them, and the files of messages that share their bytes. */
export const uploads = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
