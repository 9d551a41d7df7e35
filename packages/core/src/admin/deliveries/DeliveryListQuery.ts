import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { oneOf, uuid } from "../../input/Fields.js"
import { listFields, queryFilter } from "../../input/ListQuery.js"
import type { Delivery } from "../../webhooks/Delivery.js"

const status = queryFilter(oneOf<Delivery["status"]>(["pending", "delivered", "failed"]))

/** The query of `GET /webhook-endpoints/{id}/deliveries`. */
export const EndpointDeliveryListQuery = Schema.Struct({ ...listFields, status })
export type EndpointDeliveryListQuery = typeof EndpointDeliveryListQuery.Type

/** The query of `GET /webhook-deliveries`: at least one of the ids is given (decisions.md §14). */
export const DeliveryListQuery = Schema.Struct({
  ...listFields,
  status,
  messageId: queryFilter(uuid).pipe(Schema.fromKey("message_id")),
  eventId: queryFilter(uuid).pipe(Schema.fromKey("event_id")),
  attemptId: queryFilter(uuid).pipe(Schema.fromKey("attempt_id")),
  endpointId: queryFilter(uuid).pipe(Schema.fromKey("endpoint_id"))
})
export type DeliveryListQuery = typeof DeliveryListQuery.Type

export const deliveryListQueryDraft = draft(DeliveryListQuery)
