import { Schema } from "effect"
import { oneOf, uuid } from "../../kernel/input/Fields.js"
import { listFields, queryFilter } from "../../kernel/input/ListQuery.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { field, wire } from "../../kernel/input/wire.js"
import type { Delivery } from "../../model/Delivery.js"

const status = field(queryFilter(oneOf<Delivery["status"]>(["pending", "delivered", "failed"])), {
  description: "Only those with this status."
})

/** The query of `GET /webhook-endpoints/{id}/deliveries`. */
export const EndpointDeliveryListQuery = Schema.Struct({ ...listFields, status })
export type EndpointDeliveryListQuery = typeof EndpointDeliveryListQuery.Type

/**
 * The query of `GET /webhook-deliveries`: at least one of the ids is given
 * (docs/reference/administration.md#webhook-endpoints-and-deliveries).
 */
export const DeliveryListQuery = Schema.Struct({
  ...listFields,
  status,
  messageId: wire("message_id", queryFilter(uuid), { description: "Only those of this message's events." }),
  eventId: wire("event_id", queryFilter(uuid), { description: "Only those of this event." }),
  attemptId: wire("attempt_id", queryFilter(uuid), {
    description: "Only the delivery with this attempt: the `X-Delivery-ID`."
  }),
  endpointId: wire("endpoint_id", queryFilter(uuid), { description: "Only those to this endpoint." })
})
export type DeliveryListQuery = typeof DeliveryListQuery.Type

export const decodeDeliveryListQuery = partialDecode(DeliveryListQuery)
