import { Schema } from "effect"
import { samples } from "../../kernel/input/samples.js"
import { component, createdAt, endpointApplicationId, field, ids, wire } from "../../kernel/input/wire.js"
import { applicationOf, type Endpoint, isActive } from "../../model/Endpoint.js"
import { EventType } from "../../model/Event.js"

const fields = {
  id: ids.endpoint,
  applicationId: endpointApplicationId,
  url: field(Schema.String, { examples: ["https://shop.example.org/hooks/parley"] }),
  events: field(Schema.Array(Schema.Union(EventType, Schema.Literal("*"))), {
    examples: [["message.delivered", "message.failed"]]
  }),
  description: Schema.NullOr(Schema.String),
  status: Schema.Literal("active", "disabled", "deleted"),
  consecutiveFailures: wire("consecutive_failures", Schema.Number, {
    description: "Consecutive failed attempts; 25 disable the endpoint.",
    examples: [0]
  }),
  ordered: field(Schema.NullOr(Schema.Literal("conversation")), {
    description: "`conversation`: a subscription that handles the events of a conversation one after another."
  }),
  createdAt
}

/** A webhook endpoint on the wire: never its secret (docs/reference/webhooks.md#endpoint-fields). */
export const EndpointResource = component("WebhookEndpoint", "A URL that receives an application's events.", fields)

/**
 * A webhook endpoint with its secret, as it is shown once at creation and on rotation
 * (docs/reference/webhooks.md#signing-secret).
 */
export const EndpointWithSecretResource = component(
  "WebhookEndpointWithSecret",
  "A webhook endpoint with its signing secret, shown this once.",
  { ...fields, secret: field(Schema.String, { examples: [samples.signingSecret] }) }
)

/** One that failed too often is disabled, whatever an administrator last said. */
export const endpointResource = ({ secret: _secret, ...endpoint }: Endpoint): typeof EndpointResource.Type => ({
  ...endpoint,
  applicationId: applicationOf(endpoint),
  status: endpoint.status === "active" && !isActive(endpoint) ? "disabled" : endpoint.status
})
