import { Clock, Effect } from "effect"
import { changes, expect, row } from "../../ports/Changes.js"
import type { CommitError, Storage } from "../../ports/Storage.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"

const batch = 200

/**
 * Handler of the job that `resumeEndpoint` makes: inserts a job for each pending delivery of the endpoint without one.
 */
export const resumeDeliveries = (
  storage: Storage,
  endpointId: string,
  after: string | null = null
): Effect.Effect<void, CommitError> =>
  Effect.gen(function* () {
    const where = { endpointId, status: "pending" as const }
    const waiting = yield* storage.list({ from: "deliveries", where, after, limit: batch })
    const last = waiting.at(-1)
    if (last === undefined) return
    const now = yield* Clock.currentTimeMillis
    yield* storage.commit(
      changes(last.workspaceId, {
        expects: [expect("endpoints", { id: endpointId })],
        ensures: waiting.map((delivery) => row("jobs", deliveryJob(delivery, now)))
      })
    )
    if (waiting.length === batch) yield* resumeDeliveries(storage, endpointId, last.id)
  })
