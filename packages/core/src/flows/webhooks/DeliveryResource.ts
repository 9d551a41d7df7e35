import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, endpointApplicationId, field, ids, wire } from "../../kernel/input/wire.js"
import { applicationOf } from "../../model/Endpoint.js"
import { EventType } from "../../model/Event.js"
import { Timestamp } from "../../model/Instant.js"
import { type AttemptedDelivery, type KnownDelivery, WaitingFor } from "./KnownDelivery.js"

/** An attempt at a delivery on the wire (docs/reference/administration.md#webhook-endpoints-and-deliveries). */
export const AttemptResource = component("WebhookAttempt", "An attempt at a delivery.", {
  id: ids.attempt,
  number: Schema.Number,
  startedAt: wire("started_at", Timestamp, { examples: [Date.parse(samples.delivered)] }),
  durationMs: wire("duration_ms", Schema.Number, { examples: [41] }),
  status: field(Schema.NullOr(Schema.Number), {
    description: "Null without a response, and for subscriptions.",
    examples: [200]
  }),
  error: field(Schema.NullOr(Schema.String), {
    description: "Why there was no response, or the error of a subscription's function."
  }),
  answer: field(Schema.NullOr(Schema.String), { description: "Start of the response.", examples: ["ok"] })
})

const fields = {
  id: ids.delivery,
  applicationId: endpointApplicationId,
  endpointId: wire("endpoint_id", ids.endpoint),
  eventId: wire("event_id", ids.event),
  /** Null once the event is purged. */
  eventType: wire("event_type", Schema.NullOr(EventType), {
    description: "Null after the event's retention.",
    examples: ["message.delivered"]
  }),
  status: field(Schema.Literal("pending", "delivered", "failed"), { examples: ["delivered"] }),
  attemptCount: wire("attempt_count", Schema.Number),
  createdAt: wire("created_at", Timestamp, { examples: [Date.parse(samples.delivered)] }),
  completedAt: wire("completed_at", Schema.NullOr(Timestamp), { examples: [Date.parse(samples.delivered)] }),
  nextAttemptAt: wire("next_attempt_at", Schema.NullOr(Timestamp), {
    description: "Time of the next attempt; null if none is planned."
  }),
  waitingFor: wire("waiting_for", Schema.NullOr(WaitingFor), {
    description:
      "Condition for the next attempt; null if only its time is awaited. `job_retried`: its job, which has the delivery's id, is parked after too many failures. `secret_key`: no host that tried it has the key of its endpoint's URL and signing secret; its job names the key, which belongs into `PARLEY_SECRET_KEY_PREVIOUS` (`previousSecretKeys` of createParley). `earlier_delivery`: an earlier event of its conversation is not delivered yet."
  })
}

/** A delivery as lists carry it: without its attempts. */
export const ListedDeliveryResource = component(
  "ListedWebhookDelivery",
  "A delivery in lists: without its attempts.",
  fields
)

/** A delivery with every attempt that is still kept, in order. */
export const DeliveryResource = component(
  "WebhookDelivery",
  "Delivery of one event to one endpoint, with every attempt that is still kept.",
  { ...fields, attempts: Schema.Array(AttemptResource) }
)

export const listedDeliveryResource = (known: KnownDelivery): typeof ListedDeliveryResource.Type => ({
  ...known.delivery,
  applicationId: applicationOf(known.delivery),
  eventType: known.eventType,
  attemptCount: known.delivery.attempts,
  nextAttemptAt: known.nextAttemptAt,
  waitingFor: known.waitingFor
})

export const deliveryResource = ({ attempts, ...known }: AttemptedDelivery): typeof DeliveryResource.Type => ({
  ...listedDeliveryResource(known),
  attempts: [...attempts].sort((one, other) => one.number - other.number)
})
