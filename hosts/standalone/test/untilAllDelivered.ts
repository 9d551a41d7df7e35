import { Effect } from "effect"
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

/** Up to 20 jobs, the first due first, without those that recover events a minute after an endpoint was made. */
const firstJobs = (folder: string, settings: Settings) =>
  rowsOf(
    folder,
    settings,
    `SELECT lane, subject, run_at, lease_until, lease_owner, epoch, attempts FROM jobs
     WHERE coalesce(CAST(payload AS text), '') NOT LIKE '%recover_endpoint%' ORDER BY due_at LIMIT 20`
  )

export const isQueueEmpty = async (folder: string, settings: Settings): Promise<boolean> =>
  (await firstJobs(folder, settings)).length === 0

/** The jobs that are left, for the error of a test. */
export const jobsLeft = async (folder: string, settings: Settings): Promise<string> =>
  `The first jobs, at Unix time ${Date.now()} ms: ${JSON.stringify(await firstJobs(folder, settings))}`

/** Waits until every receiver took the event of every contact, and the host has stored that. */
export const untilAllDelivered = (
  folder: string,
  settings: Settings,
  receivers: ReadonlyArray<UnreliableReceiver>,
  created: ReadonlySet<string>
): Effect.Effect<true> => {
  const allDelivered = () =>
    receivers.every(({ reported }) => reported.size >= created.size && [...created].every((id) => reported.has(id)))
  return until(
    "every event reaches every endpoint, and the queue is empty",
    async () => {
      await Effect.runPromise(hasten(folder, settings))
      return allDelivered() && (await isQueueEmpty(folder, settings)) ? true : undefined
    },
    async () => {
      const reported = receivers.map(({ reported }) => reported.size)
      return `${created.size} events, taken: ${reported}. ${await jobsLeft(folder, settings)}`
    }
  )
}
