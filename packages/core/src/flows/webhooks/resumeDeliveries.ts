import { Clock, Effect } from "effect"
import { isSubscription } from "../../model/Endpoint.js"
import { changes, expect, row } from "../../ports/Changes.js"
import { type CommitError, lookup, readById, type Storage } from "../../ports/Storage.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"
import { replaced } from "./redeliver.js"

const batch = 200

/**
 * Handler of the job that `resumeEndpoint` makes: inserts a job for each pending delivery of the endpoint without one.
 * The jobs of a deleted subscription move to a lane that all processes claim: the processes with its function may be
 * gone.
 */
export const resumeDeliveries = (
  storage: Storage,
  endpointId: string,
  after: string | null = null
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const endpoint = yield* readById(storage, "endpoints", endpointId)
    if (endpoint === undefined) return
    const where = { endpointId, status: "pending" as const }
    const waiting = yield* storage.list({ from: "deliveries", where, after, limit: batch })
    const last = waiting.at(-1)
    if (last === undefined) return
    const now = yield* Clock.currentTimeMillis
    const jobs =
      endpoint.status === "deleted" && isSubscription(endpoint)
        ? Object.values(
            yield* storage.read(Object.fromEntries(waiting.map(({ id }) => [id, lookup("jobs", { id })])))
          ).flat()
        : []
    const { _tag } = yield* storage.commit(
      changes(
        last.workspaceId,
        {
          expects: [expect("endpoints", { id: endpointId })],
          ensures: waiting.map((delivery) => row("jobs", deliveryJob(delivery, endpoint, now)))
        },
        ...jobs.filter(({ lane, leaseUntil }) => lane === "subscriptions" && leaseUntil <= now).map(replaced)
      )
    )
    if (_tag === "Conflict") yield* resumeDeliveries(storage, endpointId, after)
    else if (waiting.length === batch) yield* resumeDeliveries(storage, endpointId, last.id)
  })
