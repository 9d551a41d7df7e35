import { rowsOf, type Store } from "./Store.js"

/** Waits until a host has no jobs left, judged by its database only. */
export const untilIdle = async (store: Store): Promise<void> => {
  while (await hasJobs(store)) await new Promise((resolve) => setTimeout(resolve, 250))
}

const statement = "SELECT count(*) AS jobs FROM (SELECT 1 FROM jobs LIMIT 1) AS any_job"

const hasJobs = async (store: Store): Promise<boolean> => Number((await rowsOf(store, statement))[0].jobs) > 0
