import { once } from "node:events"
import { join } from "node:path"
import { Worker } from "node:worker_threads"
import Pg from "pg"

/** What a statement on a host's database answers, past the host. */
export const rowsOf = async (
  folder: string,
  settings: { readonly [name: string]: string },
  statement: string
): Promise<ReadonlyArray<any>> => {
  const url = settings.PARLEY_DATABASE_URL
  if (url === undefined) return sqliteRows(join(folder, "parley.db"), statement)
  const client = new Pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

/**
 * In a thread: SQLite waits for its lock and for the disk, and meanwhile the receivers of this process would answer no
 * webhook.
 */
const sqliteRows = async (file: string, statement: string): Promise<ReadonlyArray<any>> => {
  const thread = new Worker(new URL("./sqliteRows.mjs", import.meta.url), { workerData: { file, statement } })
  const [rows] = await once(thread, "message")
  return rows
}
