import { Effect } from "effect"
import { count } from "./count.js"
import { rowsOf } from "./rowsOf.js"
import type { UnreliableReceiver } from "./unreliableReceiver.js"
import { until } from "./until.js"

type Settings = { readonly [name: string]: string }

/**
 * Makes every retry due, past the host: a minute is long. Postgres may end it for a deadlock with the host's
 * statements; then it runs again.
 */
export const hasten = (folder: string, settings: Settings): Effect.Effect<void> =>
  Effect.promise(async () => {
    try {
      await rowsOf(folder, settings, "UPDATE jobs SET run_at = 0 WHERE lane = 'retries' AND lease_until = 0")
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === deadlockDetected)) throw error
      await Effect.runPromise(hasten(folder, settings))
    }
  })

const deadlockDetected = "40P01"

/** Whether no job is left but those that recover events a minute after an endpoint was made. */
export const isQueueEmpty = async (folder: string, settings: Settings): Promise<boolean> =>
  (await count(folder, settings, "jobs WHERE coalesce(CAST(payload AS text), '') NOT LIKE '%recover_endpoint%'")) === 0

/** The jobs that are left, for the error of a test. */
export const jobsLeft = async (folder: string, settings: Settings): Promise<string> => {
  const jobs = await rowsOf(
    folder,
    settings,
    "SELECT lane, subject, run_at, lease_until, lease_owner, epoch, attempts FROM jobs ORDER BY due_at LIMIT 20"
  )
  return `At ${Date.now()}, ${await count(folder, settings, "jobs")} jobs: ${JSON.stringify(jobs)}`
}

/** Waits until every receiver took the event of every contact, and the host has written that down. */
export const untilAllDelivered = (
  folder: string,
  settings: Settings,
  receivers: ReadonlyArray<UnreliableReceiver>,
  created: ReadonlySet<string>
): Effect.Effect<true> => {
  const allTold = () =>
    receivers.every(({ reported }) => reported.size >= created.size && [...created].every((id) => reported.has(id)))
  return until(
    "every event reaches every endpoint, and the queue is empty",
    async () => {
      await Effect.runPromise(hasten(folder, settings))
      return allTold() && (await isQueueEmpty(folder, settings)) ? true : undefined
    },
    async () => {
      const reported = receivers.map(({ reported }) => reported.size)
      return `${created.size} events, taken: ${reported}. ${await jobsLeft(folder, settings)}`
    }
  )
}
