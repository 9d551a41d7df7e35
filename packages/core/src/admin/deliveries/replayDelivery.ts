import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Decision } from "../../Decider.js"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Event } from "../../events/Event.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, type Parts, remove } from "../../ports/Changes.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import { anew, deliverAnew } from "../../webhooks/deliverAnew.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import type { Job } from "../../worker/Job.js"
import { enabled } from "../endpoints/enabled.js"
import { mayBeSent } from "../endpoints/mayBeSent.js"
import { found } from "../found.js"

/** All that a replay may look at. */
export interface ReplayWorld {
  readonly delivery: Delivery | undefined
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly job: Job | undefined
}

/**
 * `POST /webhook-deliveries/{id}/replay` (decisions.md §12): the delivery goes out again with the same event id, the next
 * attempt number and the schedule anew. One that waits goes out now; an attempt that is under way is the replay. Refused
 * with `invalid_transition` where there is nothing to send any more, or nobody who is sent it.
 */
export const replayDelivery = (world: ReplayWorld, now: Instant): Either.Either<Decision<Delivery>, Refusal> =>
  Either.gen(function* () {
    const delivery = yield* found(world.delivery)
    if (world.event === undefined) {
      const why = "The event is no longer kept, so that it cannot be sent again."
      return yield* Either.left(refuse("invalid_transition", {}, why))
    }
    yield* Either.flatMap(found(world.endpoint), enabled)
    yield* Either.flatMap(found(world.application), mayBeSent)
    const job = delivery.status === "pending" ? world.job : undefined
    if (job !== undefined && job.leaseUntil > now) return { changes: null, result: delivery }
    return {
      changes: changes(delivery.workspaceId, deliverAnew(delivery, now), job === undefined ? {} : replaced(job)),
      result: anew(delivery)
    }
  })

/** A job that nobody works on gives way to one that is due now: a new one wakes who sleeps. */
const replaced = ({ epoch, id, leaseUntil }: Job): Parts => ({
  expects: [expect("jobs", { id }, { epoch, leaseUntil })],
  deletes: [remove("jobs", { id })]
})
