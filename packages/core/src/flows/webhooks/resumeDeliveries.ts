import { Clock, Effect } from "effect"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isSubscription } from "../../model/Endpoint.js"
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
export const resumeDeliveries = (storage: Storage, endpointId: string): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    let after: string | null = null
    for (;;) {
      const endpoint: Endpoint | undefined = yield* readById(storage, "endpoints", endpointId)
      if (endpoint === undefined) return
      const where = { endpointId, status: "pending" as const }
      const waiting: ReadonlyArray<Delivery> = yield* storage.list({ from: "deliveries", where, after, limit: batch })
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
      if (_tag === "Conflict") continue
      if (waiting.length < batch) return
      after = last.id
    }
  })
