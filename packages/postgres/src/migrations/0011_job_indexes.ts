import { SqlClient } from "@effect/sql/SqlClient"
import { Effect } from "effect"

/**
 * The indexes of the queue without `id` among their keys. The table `jobs` is empty most of the time, and vacuum
 * records that. Postgres then estimates one row for any condition, and looked up ids in an index with `id` as its last
 * key: it read the whole index.
 */
const statements = [
  "CREATE INDEX jobs_lane_due_at ON jobs (lane, due_at) INCLUDE (id, subject)",
  'CREATE INDEX jobs_lane_subject_due_at ON jobs (lane, subject COLLATE "C", due_at) INCLUDE (id)',
  "DROP INDEX jobs_lane_due_at_id_subject",
  "DROP INDEX jobs_lane_subject_due_at_id"
]

export const jobIndexes = Effect.flatMap(SqlClient, (sql) =>
  Effect.forEach(statements, (statement) => sql.unsafe(statement), { discard: true })
)
