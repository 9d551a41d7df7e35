import { Schema } from "effect"
import { EventType } from "../events/Event.js"
import { Timestamp } from "../Instant.js"
import { type Endpoint, isActive } from "./Endpoint.js"

const fields = {
  id: Schema.String,
  applicationId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("application_id")),
  url: Schema.String,
  events: Schema.Array(Schema.Union(EventType, Schema.Literal("*"))),
  description: Schema.NullOr(Schema.String),
  status: Schema.Literal("active", "disabled", "deleted"),
  consecutiveFailures: Schema.propertySignature(Schema.Number).pipe(Schema.fromKey("consecutive_failures")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}

/** A webhook endpoint on the wire: never its secret (decisions.md §14). */
export const EndpointResource = Schema.Struct(fields).annotations({ identifier: "WebhookEndpoint" })

/** A webhook endpoint with its secret, as it is shown once at creation and on rotation (spec, Subscribing). */
export const EndpointWithSecretResource = Schema.Struct({ ...fields, secret: Schema.String }).annotations({
  identifier: "WebhookEndpointWithSecret"
})

/** One that failed too often is disabled, whatever an administrator last said. */
export const endpointResource = ({ secret: _secret, ...endpoint }: Endpoint): typeof EndpointResource.Type => ({
  ...endpoint,
  status: endpoint.status === "active" && !isActive(endpoint) ? "disabled" : endpoint.status
})
