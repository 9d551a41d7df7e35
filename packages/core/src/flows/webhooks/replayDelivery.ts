import { Either } from "effect"
import { type Refusal, refuse } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import type { Delivery } from "../../model/Delivery.js"
import type { Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import { changes } from "../../ports/Changes.js"
import { deliveryJob } from "../../resources/events/deliveryJob.js"
import { type KnownDelivery, knownDelivery } from "./KnownDelivery.js"
import { receivingApplication } from "./receivingApplication.js"
import { redeliver, replaced, restartedDelivery } from "./redeliver.js"
import { requireActiveEndpoint } from "./requireActiveEndpoint.js"

/** What the rules of a replay read. */
export interface ReplayWorld {
  readonly delivery: Delivery | undefined
  readonly event: Event | undefined
  readonly endpoint: Endpoint | undefined
  readonly application: Application | undefined
  readonly job: Job | undefined
}

/**
 * `POST /webhook-deliveries/{id}/replay` (docs/reference/webhooks.md#replay): attempts the delivery now, with the same
 * event id, the next attempt number and a new schedule. A running attempt counts as the replay. Fails with
 * `invalid_transition` if the event is gone or the endpoint or the application receives nothing now.
 */
export const replayDelivery = (world: ReplayWorld, now: Instant): Either.Either<Decision<KnownDelivery>, Refusal> =>
  Either.gen(function* () {
    const delivery = yield* orNotFound(world.delivery)
    if (world.event === undefined) {
      const why = "The event is no longer kept, so that it cannot be sent again."
      return yield* Either.left(refuse("invalid_transition", {}, why))
    }
    const endpoint = yield* Either.flatMap(orNotFound(world.endpoint), requireActiveEndpoint)
    yield* receivingApplication(endpoint, world.application)
    const job = delivery.status === "pending" ? world.job : undefined
    if (job !== undefined && job.leaseUntil > now) return { changes: null, result: knownDelivery(delivery, world) }
    // One that waits for others leaves the order. Others may wait for one that does not.
    const orderKey = delivery.orderState === "waiting" ? null : delivery.orderKey
    return {
      changes: changes(
        delivery.workspaceId,
        redeliver(delivery, orderKey, endpoint, now),
        job === undefined ? {} : replaced(job)
      ),
      result: knownDelivery(restartedDelivery(delivery, orderKey), {
        ...world,
        job: deliveryJob(delivery, endpoint, now)
      })
    }
  })
