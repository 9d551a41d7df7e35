import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Job, Lane } from "../../model/Job.js"
import { type CommitError, lookupById, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { giveUpJob } from "./giveUpJob.js"

/**
 * Gives up parked jobs that are due: sends 24 h after their first failure, and jobs that an administrator dropped. The
 * handler of the lane `parked` (docs/reference/queue.md#parked-jobs).
 */
export interface ParkedJobs {
  readonly giveUp: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const ParkedJobs = Context.GenericTag<ParkedJobs>("@parley/core/ParkedJobs")

const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = ({ failure, reference, workspaceId }: Job) => {
    const of = (...lanes: ReadonlyArray<Lane>) => (failure !== null && lanes.includes(failure.lane) ? reference : null)
    const found = storage.read({
      ...subscriberLookups(workspaceId),
      messages: lookupById("messages", of("sends")),
      deliveries: lookupById("deliveries", of("deliveries", "retries", "subscriptions")),
      runs: lookupById("workflowRuns", of("runs", "calls")),
      files: lookupById("attachedFiles", of("fetches"))
    })
    return Effect.map(found, ({ applications, deliveries, endpoints, files, messages, runs }) => ({
      message: messages[0],
      delivery: deliveries[0],
      run: runs[0],
      file: files[0],
      subscribers: { applications, endpoints }
    }))
  }
  return ParkedJobs.of({
    giveUp: (job) => decideAndCommit(load(job), (world, now, ids) => giveUpJob(world, job, now, ids))
  })
})

export const layer: Layer.Layer<ParkedJobs, never, Storage | Decider> = Layer.effect(ParkedJobs, make)
