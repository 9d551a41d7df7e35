import { Effect } from "effect"
import { derivedId } from "../../kernel/derivedId.js"
import type { Connection } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import type { ChannelProvider } from "../../ports/ChannelProvider.js"
import { lookup, type ReadError, type Storage } from "../../ports/Storage.js"
import { fetchJob } from "./fetchJob.js"

/** The recurring jobs of a connection, and what the provider must implement for each. */
const recurring = [
  { task: "poll", asks: ({ poll }: ChannelProvider) => poll !== undefined },
  { task: "sync_templates", asks: ({ listTemplates }: ChannelProvider) => listTemplates !== undefined }
] as const

/** Whether a job is one of {@link recurringJobs}. */
export const isRecurring = ({ payload }: Pick<Job, "payload">): boolean =>
  recurring.some(({ task }) => task === payload?.task)

/**
 * The recurring jobs of a connection, for the commit that activates it. Their ids are derived, so each exists once no
 * matter how often it is ensured, and two hosts never poll one connection at the same time.
 */
export const recurringJobs = (connection: Connection, provider: ChannelProvider | undefined, now: Instant): Parts => ({
  ensures: recurring
    .filter(({ asks }) => provider !== undefined && asks(provider))
    .map(({ task }) => {
      const { id: reference } = connection
      return row("jobs", fetchJob(connection, { id: derivedId(reference, task), task, reference, runAt: now }, now))
    })
})

/** The recurring jobs that a connection has. */
export const loadRecurringJobs = (
  storage: Pick<Storage, "read">,
  { id }: Connection
): Effect.Effect<ReadonlyArray<Job>, ReadError> =>
  Effect.map(
    storage.read(Object.fromEntries(recurring.map(({ task }) => [task, lookup("jobs", { id: derivedId(id, task) })]))),
    (found) => Object.values(found).flat()
  )

/**
 * Makes waiting recurring jobs due, for the commit that changes settings: a provider that had nothing to poll may have
 * put its next poll off for a day.
 */
export const hastenJobs = (jobs: ReadonlyArray<Job>, now: Instant): Parts => {
  const waiting = jobs.filter(({ lane, runAt }) => lane !== "parked" && runAt > now)
  return {
    expects: waiting.map(({ epoch, id }) => expect("jobs", { id }, { epoch })),
    sets: waiting.map(({ id }) => set("jobs", { id }, { runAt: now }))
  }
}

/**
 * Expects that the connection still has this status when a recurring job ends. Else a concurrent activation would find
 * the job, not create a new one, and the connection would have none.
 */
export const endRecurringJob = ({ id, status }: Connection): Parts => ({
  expects: [expect("connections", { id }, { status })]
})
