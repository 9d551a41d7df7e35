import { Array as Arrays, Clock, Effect } from "effect"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isSubscription } from "../../model/Endpoint.js"
import type { Job } from "../../model/Job.js"
import { changes, expect, row } from "../../ports/Changes.js"
import { type CommitError, lookup, readById, type Storage } from "../../ports/Storage.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"
import { endPresence } from "./presenceJob.js"
import { replaced } from "./redeliver.js"
import { isSecondRun, secondRun, type TaskResult } from "./TaskResult.js"

const batch = 200

/**
 * Handler of the job that `resumeEndpoint` makes: inserts a job for each pending delivery of the endpoint without one.
 * The jobs of a deleted endpoint that no process claims move to a lane that all processes claim, where they fail: those
 * of its function, and parked ones; the job of a subscription's presence ends. Runs again while some of them are
 * leased: their processes may end first. For a deleted subscription it runs once more after a minute: a commit that was
 * decided before the deletion may add a delivery after the first run.
 */
export const resumeDeliveries = (
  storage: Storage,
  { payload, reference: endpointId }: Pick<Job, "payload" | "reference">
): Effect.Effect<TaskResult, CommitError> =>
  Effect.gen(function* () {
    let after: string | null = null
    let hasLeased = !(yield* endPresence(storage, endpointId))
    for (;;) {
      const endpoint: Endpoint | undefined = yield* readById(storage, "endpoints", endpointId)
      if (endpoint === undefined) return "done"
      const where = { endpointId, status: "pending" as const }
      const waiting: ReadonlyArray<Delivery> = yield* storage.list({ from: "deliveries", where, after, limit: batch })
      const last = waiting.at(-1)
      if (last === undefined) return resultOf(endpoint, payload, hasLeased)
      const now = yield* Clock.currentTimeMillis
      const jobs =
        endpoint.status === "deleted"
          ? Object.values(
              yield* storage.read(Object.fromEntries(waiting.map(({ id }) => [id, lookup("jobs", { id })])))
            ).flat()
          : []
      const [unleased, leased] = Arrays.partition(jobs.filter(isUnserved), ({ leaseUntil }) => leaseUntil > now)
      if (leased.length > 0) hasLeased = true
      const { _tag } = yield* storage.commit(
        changes(
          last.workspaceId,
          {
            expects: [expect("endpoints", { id: endpointId })],
            ensures: waiting.map((delivery) => row("jobs", deliveryJob(delivery, endpoint, now)))
          },
          ...unleased.map(replaced)
        )
      )
      if (_tag === "Conflict") continue
      if (waiting.length < batch) return resultOf(endpoint, payload, hasLeased)
      after = last.id
    }
  })

const resultOf = (endpoint: Endpoint, payload: Job["payload"], hasLeased: boolean): TaskResult => {
  if (hasLeased) return { again: payload }
  const runsTwice = endpoint.status === "deleted" && isSubscription(endpoint)
  return runsTwice && !isSecondRun(payload) ? { again: secondRun(payload) } : "done"
}

const isUnserved = ({ lane }: Job): boolean => lane === "subscriptions" || lane === "parked"
