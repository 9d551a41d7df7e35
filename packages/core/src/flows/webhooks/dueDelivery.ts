import { Either } from "effect"
import type { Decision } from "../../kernel/Decider.js"
import type { Application } from "../../model/Application.js"
import type { Delivery } from "../../model/Delivery.js"
import { type Endpoint, isActive } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { type Changes, changes, endJob, expect, type Parts, set } from "../../ports/Changes.js"
import { webhookBlocker } from "../../resources/events/webhookBlocker.js"

/** What the rule for a due delivery reads. */
export interface DueWorld {
  readonly delivery: Delivery | undefined
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
}

/** A delivery to attempt now. */
export interface DueDelivery {
  readonly delivery: Delivery
  readonly event: Event
  readonly endpoint: Endpoint
}

/**
 * Decides a due delivery (docs/reference/webhooks.md#delivery-states): attempt it now (nothing is written yet), fail it
 * because the event or the endpoint is gone, or keep it pending without a job until the endpoint or the application is
 * active. A test is attempted at a disabled endpoint too.
 */
export const dueDelivery = (
  { application, delivery, endpoint, event }: DueWorld,
  job: Job,
  now: Instant
): Either.Either<Decision<DueDelivery | null>> => {
  if (delivery === undefined) return ended(job)
  if (delivery.status !== "pending") {
    // Conflicts with a concurrent replay, which would use this job.
    return ended(job, { expects: [expect("deliveries", { id: delivery.id }, { version: delivery.version })] })
  }
  if (event === undefined || endpoint === undefined || endpoint.status === "deleted") {
    const { id, version } = delivery
    return ended(job, {
      expects: [expect("deliveries", { id }, { version })],
      sets: [set("deliveries", { id }, { status: "failed", completedAt: now })]
    })
  }
  const waits = application === undefined || webhookBlocker(application) !== null
  if (waits || (event.type !== "webhook.test" && !isActive(endpoint))) {
    // Conflicts with a concurrent activation, which makes no job for a delivery that has this one.
    const expects = [expect("endpoints", { id: endpoint.id }, { version: endpoint.version })]
    if (application) expects.push(expect("applications", { id: application.id }, { version: application.version }))
    return ended(job, { expects })
  }
  return Either.right({ changes: null, result: { delivery, event, endpoint } })
}

const ended = (job: Job, parts: Parts = {}): Either.Either<Decision<null>> =>
  Either.right({ changes: settled(job, parts), result: null })

const settled = (job: Job, parts: Parts): Changes => changes(job.workspaceId, parts, { settle: endJob(job) })
