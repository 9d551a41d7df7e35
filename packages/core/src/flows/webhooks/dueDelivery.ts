import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import type { Application } from "../../model/Application.js"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isActive, isOfWorkspace } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes, endJob, expect, type Parts, set } from "../../ports/Changes.js"
import { hasLostClaim } from "../../resources/events/deliveryJob.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"
import { type DeliveryOrder, enqueueNext, turnOf, withoutOrder } from "./deliveryOrder.js"
import { isPresenceJob, settlePresence } from "./presenceJob.js"

/** What the rule for a due delivery reads. */
export interface DueWorld {
  readonly delivery: Delivery | undefined
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  /** Null for a delivery without order. */
  readonly order: DeliveryOrder | null
}

/** A delivery to attempt now. */
export interface DueDelivery {
  readonly delivery: Delivery
  readonly event: Event
  readonly endpoint: Endpoint
  /** The delivery that starts when this one has ended, as {@link DeliveryOrder} has it. */
  readonly next: Delivery | undefined
}

/**
 * Decides a due delivery (docs/reference/webhooks.md#delivery-states): attempt it now (nothing is written yet), fail it
 * because the event or the endpoint is gone, or keep it pending without a job until the endpoint or the application is
 * active, or until those before it in its order have ended. A test is attempted at a disabled endpoint too. The job of
 * a subscription's presence is only settled.
 */
export const dueDelivery = (
  { application, delivery, endpoint, event, order }: DueWorld,
  job: Job,
  now: Instant
): Either.Either<Decision<DueDelivery | null>> => {
  if (isPresenceJob(job)) {
    return Either.right({ changes: changes(job.workspaceId, settlePresence(job, endpoint, now)), result: null })
  }
  if (delivery === undefined) return ended(job)
  if (delivery.status !== "pending") {
    // Conflicts with a concurrent replay, which would use this job.
    return ended(job, { expects: [expect("deliveries", { id: delivery.id }, { version: delivery.version })] })
  }
  if (event === undefined || endpoint === undefined || endpoint.status === "deleted") {
    const { id, version } = delivery
    const failed: Parts = {
      expects: [expect("deliveries", { id }, { version })],
      sets: [set("deliveries", { id }, { status: "failed", completedAt: now, ...withoutOrder(delivery) })]
    }
    return ended(job, failed, enqueueNext(order?.next, endpoint, now))
  }
  const waits = !isOfWorkspace(endpoint) && (application === undefined || webhookBlocker(application) !== null)
  if (waits || (event.type !== "webhook.test" && !isActive(endpoint))) {
    // Conflicts with a concurrent activation, which makes no job for a delivery that has this one.
    const expects = [expect("endpoints", { id: endpoint.id }, { version: endpoint.version })]
    if (application) expects.push(expect("applications", { id: application.id }, { version: application.version }))
    return ended(job, { expects })
  }
  // A lost attempt is recorded in any case, without a call of the function.
  const turn = turnOf(delivery, order === null || hasLostClaim(job) ? null : order, endpoint, now)
  if (!turn.starts) return ended(job, ...turn.changes)
  if (turn.changes.length === 0)
    return Either.right({ changes: null, result: { delivery, event, endpoint, next: order?.next } })
  const changed = { ...delivery, orderState: "followed" as const, version: delivery.version + 1 }
  return Either.right({
    changes: changes(job.workspaceId, ...turn.changes),
    result: { delivery: changed, event, endpoint, next: order?.next }
  })
}

const ended = (job: Job, ...parts: ReadonlyArray<Parts>): Either.Either<Decision<null>> =>
  Either.right({ changes: changes(job.workspaceId, ...parts, { settle: endJob(job) }), result: null })
