import Database from "better-sqlite3"
import { query, type Store } from "./Store.js"

/** Waits until a host has nothing left to do; what it makes known to its database is all that is looked at. */
export const untilWorkedOff = async (store: Store): Promise<void> => {
  while (await hasJobs(store)) await new Promise((resolve) => setTimeout(resolve, 250))
}

const statement = "SELECT count(*) AS jobs FROM (SELECT 1 FROM jobs LIMIT 1) AS any_job"

const hasJobs = async (store: Store): Promise<boolean> => {
  if (store.kind === "postgres") return Number((await query(store.url, statement))[0].jobs) > 0
  const database = new Database(store.file, { readonly: true })
  try {
    return (database.prepare(statement).get() as { readonly jobs: number }).jobs > 0
  } finally {
    database.close()
  }
}
