import { Either } from "effect"
import type { Application } from "../access/Application.js"
import type { Decision } from "../Decider.js"
import type { Event } from "../events/Event.js"
import type { Instant } from "../Instant.js"
import { type Changes, changes, expect, type Parts, set } from "../ports/Changes.js"
import type { Job } from "../worker/Job.js"
import type { Delivery } from "./Delivery.js"
import { type Endpoint, isActive } from "./Endpoint.js"
import { whyNotSent } from "./whyNotSent.js"

/** All that decides what becomes of a delivery whose job is due. */
export interface DueWorld {
  readonly delivery: Delivery | undefined
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
}

/** A delivery that goes out now. */
export interface DueDelivery {
  readonly delivery: Delivery
  readonly event: Event
  readonly endpoint: Endpoint
}

/**
 * What becomes of a delivery whose job is due: it goes out, which writes nothing yet; or it ends its job. It fails where
 * there is nothing to send or nowhere to send it, and stays pending without a job where it waits for its endpoint or its
 * application (decisions.md §9, §12). A test goes to a disabled endpoint too.
 */
export const dueDelivery = (
  { application, delivery, endpoint, event }: DueWorld,
  job: Job,
  now: Instant
): Either.Either<Decision<DueDelivery | null>> => {
  if (delivery === undefined) return ended(job)
  if (delivery.status !== "pending") {
    // Not if it is to go out again since just now, by this very job.
    return ended(job, { expects: [expect("deliveries", { id: delivery.id }, { version: delivery.version })] })
  }
  if (event === undefined || endpoint === undefined || endpoint.status === "deleted") {
    const { id, version } = delivery
    return ended(job, {
      expects: [expect("deliveries", { id }, { version })],
      sets: [set("deliveries", { id }, { status: "failed", completedAt: now })]
    })
  }
  const waits = application === undefined || whyNotSent(application) !== null
  if (waits || (event.type !== "webhook.test" && !isActive(endpoint))) {
    // Not if it may go out since just now: whoever allowed that gave no job to a delivery that had this one.
    const expects = [expect("endpoints", { id: endpoint.id }, { version: endpoint.version })]
    if (application) expects.push(expect("applications", { id: application.id }, { version: application.version }))
    return ended(job, { expects })
  }
  return Either.right({ changes: null, result: { delivery, event, endpoint } })
}

const ended = (job: Job, parts: Parts = {}): Either.Either<Decision<null>> =>
  Either.right({ changes: settled(job, parts), result: null })

const settled = (job: Job, parts: Parts): Changes =>
  changes(job.workspaceId, parts, { settle: { jobId: job.id, epoch: job.epoch, again: null } })
