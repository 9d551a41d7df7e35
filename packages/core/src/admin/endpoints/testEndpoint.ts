import { Either } from "effect"
import type { Application } from "../../access/Application.js"
import type { Decision } from "../../Decider.js"
import type { Refusal } from "../../errors/Refusal.js"
import type { Event } from "../../events/Event.js"
import { newDelivery } from "../../events/Outbox.js"
import type { Instant } from "../../Instant.js"
import { changes, expect, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { Delivery } from "../../webhooks/Delivery.js"
import type { Endpoint } from "../../webhooks/Endpoint.js"
import { found } from "../found.js"
import { mayBeSent } from "./mayBeSent.js"

/**
 * `POST /webhook-endpoints/{id}/test`: a `webhook.test` event for this endpoint alone, whatever its event list, tried once
 * (decisions.md §12). A disabled endpoint can be tested before it is enabled again. An application that is sent no webhooks
 * is refused: without the scope with 403, suspended with 409 `invalid_transition`.
 */
export const testEndpoint = (
  world: { readonly endpoint: Endpoint | undefined; readonly application: Application | undefined },
  now: Instant,
  ids: Ids
): Either.Either<Decision<Delivery>, Refusal> =>
  Either.gen(function* () {
    const endpoint = yield* found(world.endpoint)
    yield* Either.flatMap(found(world.application), mayBeSent)
    const { id, workspaceId, applicationId } = endpoint
    const event: Event = {
      id: ids.next(now),
      workspaceId,
      type: "webhook.test",
      applicationId,
      connectionId: null,
      subjectId: id,
      hasExternalReference: false,
      externalReference: null,
      data: JSON.stringify({ test: { message: "This is a test delivery.", endpoint_id: id } }),
      createdAt: now
    }
    const [delivery, job] = newDelivery(ids.next(now), event, endpoint, now)
    return {
      changes: changes(workspaceId, {
        expects: [expect("endpoints", { id }, { status: ["active", "disabled"] })],
        inserts: [row("events", event), delivery, job]
      }),
      result: delivery.row
    }
  })
