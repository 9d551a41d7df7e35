import { changes, Storage, type TableName } from "@parley/core"
import { tableOf } from "@parley/sql"
import Database from "better-sqlite3"
import { Effect } from "effect"
import { waitingRun } from "./automations.js"
import { query, type Store, storageOf } from "./Store.js"
import { contactIdOf, workspaceId } from "./seed.js"

const year = 365 * 86_400_000

/** The run that the others copy. */
const modelId = "01920000-0000-7000-8000-000000000000"

/**
 * Writes a number of runs that wait for a year, each for its own contact: one by the storage, the others as copies in
 * SQL. Then runs the maintenance that the database would run later.
 */
export const writeManyWaiting = async (store: Store, count: number): Promise<void> => {
  if (count > 0) await copyWaiting(store, count)
  if (store.kind === "postgres") await execute(store, "VACUUM ANALYZE")
}

const copyWaiting = async (store: Store, count: number): Promise<void> => {
  const model = changes(workspaceId, { inserts: waitingRun(modelId, contactIdOf(0), Date.now() + year) })
  await Effect.flatMap(Storage, (storage) => storage.commit(model)).pipe(
    Effect.provide(storageOf(store)),
    Effect.runPromise
  )
  const hex = store.kind === "postgres" ? "lpad(to_hex(n), 12, '0')" : "printf('%012x', n)"
  const text = `'${modelId.slice(0, -12)}' || ${hex}`
  const id = store.kind === "postgres" ? `(${text})::uuid` : text
  await execute(store, copies("workflowRuns", { id, contactId: id }, count))
  await execute(store, copies("jobs", { id, reference: text, runAt: "t.run_at + n" }, count))
}

/** Copies the model row, with columns that depend on the number `n` of the copy. */
const copies = (name: TableName, own: { readonly [column: string]: string }, count: number): string => {
  const { columns, sql } = tableOf(name)
  return `INSERT INTO ${sql} (${columns.map((column) => column.sql).join(", ")})
WITH RECURSIVE numbers AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count - 1})
SELECT ${columns.map((column) => own[column.name] ?? `t.${column.sql}`).join(", ")}
FROM ${sql} AS t CROSS JOIN numbers WHERE t.id = '${modelId}'`
}

const execute = async (store: Store, statement: string): Promise<void> => {
  if (store.kind === "postgres") {
    await query(store.url, statement)
    return
  }
  const database = new Database(store.file)
  try {
    database.exec(statement)
  } finally {
    database.close()
  }
}
