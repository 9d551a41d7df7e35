import { Context, Effect } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import { Decider } from "../../kernel/Decider.js"
import type { Job, Lane } from "../../model/Job.js"
import { type CommitError, lookupById, readByIds, Storage } from "../../ports/Storage.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import { withStoredIds } from "../enqueued/EnqueuedRequest.js"
import { outcomeLookup } from "../enqueued/enqueuedOutcome.js"
import { nextWaiting } from "../webhooks/deliveryOrder.js"
import { giveUpJob } from "./giveUpJob.js"

/**
 * Gives up parked jobs that are due: those of messages 24 h after their first failure, and jobs that an administrator
 * dropped. The handler of the lane `parked` (docs/reference/queue.md#parked-jobs).
 */
export interface ParkedJobs {
  readonly giveUp: (job: Job) => Effect.Effect<void, Refusal | CommitError>
}
export const ParkedJobs = Context.GenericTag<ParkedJobs>("@parley/core/ParkedJobs")

export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const { decideAndCommit } = yield* Decider

  const load = ({ failure, id, reference, subject, workspaceId }: Job) =>
    Effect.gen(function* () {
      const of = (...lanes: ReadonlyArray<Lane>) =>
        failure !== null && lanes.includes(failure.lane) ? reference : null
      const { applications, deliveries, endpoints, files, messages, outcomes, runs } = yield* storage.read({
        ...subscriberLookups(workspaceId),
        // Jobs in `fetches` have a message if an earlier version queued it.
        messages: lookupById("messages", of("sends", "downloads", "fetches")),
        deliveries: lookupById("deliveries", of("deliveries", "retries", "subscriptions")),
        runs: lookupById("workflowRuns", of("runs", "calls")),
        files: lookupById("attachedFiles", of("fetches")),
        outcomes: failure?.lane === "enqueued" ? outcomeLookup(subject, id) : null
      })
      const [message] = messages
      const ofMessage = yield* readByIds(storage, { attachedFiles: message?.attachments.map(({ id }) => id) ?? [] })
      return {
        message,
        delivery: deliveries[0],
        next: deliveries[0] && (yield* nextWaiting(storage, deliveries[0])),
        run: runs[0],
        outcome: outcomes[0],
        files: [...files, ...ofMessage.attachedFiles.values()],
        subscribers: { applications, endpoints }
      }
    })
  return ParkedJobs.of({
    giveUp: (given) => {
      const job = given.failure?.lane === "enqueued" ? withStoredIds(given) : given
      return decideAndCommit(load(job), (world, now, ids) => giveUpJob(world, job, now, ids))
    }
  })
})
