import { Either } from "effect"
import type { Refusal } from "../../errors/Refusal.js"
import type { Decision } from "../../kernel/Decider.js"
import { orNotFound } from "../../kernel/orNotFound.js"
import type { Application } from "../../model/Application.js"
import { applicationOf, type Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"
import type { Instant } from "../../model/Instant.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { newDelivery } from "../../resources/events/Outbox.js"
import { type AttemptedDelivery, knownDelivery } from "./KnownDelivery.js"
import { receivingApplication } from "./receivingApplication.js"

/**
 * `POST /webhook-endpoints/{id}/test`: sends a `webhook.test` event to this endpoint only, whatever its event list,
 * with one attempt (docs/reference/webhooks.md#test-delivery). A disabled endpoint can be tested. Fails with 403 if the
 * application lacks the scope, and with 409 `invalid_transition` if it is suspended.
 */
export const testEndpoint = (
  world: { readonly endpoint: Endpoint | undefined; readonly application: Application | undefined },
  now: Instant,
  ids: Ids
): Either.Either<Decision<AttemptedDelivery>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* orNotFound(world.endpoint)
    const application = yield* receivingApplication(endpoint, world.application)
    const { id, workspaceId } = endpoint
    const event: Event = {
      id: ids.next(now),
      workspaceId,
      type: "webhook.test",
      applicationId: applicationOf(endpoint),
      connectionId: null,
      subjectId: id,
      hasExternalReference: false,
      externalReference: null,
      data: JSON.stringify({ test: { message: "This is a test delivery.", endpoint_id: id } }),
      raw: null,
      createdAt: now
    }
    const [delivery, job] = newDelivery(ids.next(now), event, endpoint, now)
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { status: ["active", "disabled"] })],
        inserts: [row("events", event), delivery, job]
      }),
      result: {
        ...knownDelivery(delivery.row, { event, endpoint, application: application ?? undefined, job: job.row }),
        attempts: []
      }
    }
  })
