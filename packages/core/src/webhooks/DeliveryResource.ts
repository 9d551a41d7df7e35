import { Schema } from "effect"
import { EventType } from "../events/Event.js"
import { Timestamp } from "../Instant.js"
import { type AttemptedDelivery, type KnownDelivery, WaitingFor } from "./KnownDelivery.js"

/** An attempt at a delivery on the wire (decisions.md §14). */
export const AttemptResource = Schema.Struct({
  id: Schema.String,
  number: Schema.Number,
  startedAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("started_at")),
  durationMs: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("duration_ms")),
  status: Schema.NullOr(Schema.Number),
  error: Schema.NullOr(Schema.String),
  answer: Schema.NullOr(Schema.String)
}).annotations({ identifier: "WebhookAttempt" })

const fields = {
  id: Schema.String,
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  endpointId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("endpoint_id")),
  eventId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("event_id")),
  /** Null once the event is purged. */
  eventType: Schema.propertySignature(Schema.NullOr(EventType)).pipe(Schema.fromKey("event_type")),
  status: Schema.Literal("pending", "delivered", "failed"),
  attemptCount: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("attempt_count")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at")),
  completedAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("completed_at")),
  nextAttemptAt: Schema.propertySignature(Schema.NullOr(Timestamp)).pipe(Schema.fromKey("next_attempt_at")),
  waitingFor: Schema.propertySignature(Schema.NullOr(WaitingFor)).pipe(Schema.fromKey("waiting_for"))
}

/** A delivery as lists carry it: without its attempts. */
export const ListedDeliveryResource = Schema.Struct(fields).annotations({ identifier: "ListedWebhookDelivery" })

/** A delivery with every attempt that is still kept, in order. */
export const DeliveryResource = Schema.Struct({ ...fields, attempts: Schema.Array(AttemptResource) }).annotations({
  identifier: "WebhookDelivery"
})

export const listedDeliveryResource = (known: KnownDelivery): typeof ListedDeliveryResource.Type => ({
  ...known.delivery,
  eventType: known.eventType,
  attemptCount: known.delivery.attempts,
  nextAttemptAt: known.nextAttemptAt,
  waitingFor: known.waitingFor
})

export const deliveryResource = ({ attempts, ...known }: AttemptedDelivery): typeof DeliveryResource.Type => ({
  ...listedDeliveryResource(known),
  attempts: [...attempts].sort((one, other) => one.number - other.number)
})
