import { Effect } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import { definedFilters } from "../../kernel/input/definedFilters.js"
import type { PartialDecode } from "../../kernel/input/PartialDecode.js"
import type { Condition } from "../../ports/Changes.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import type { DeliveryListQuery } from "./DeliveryListQuery.js"

const missing = ["give at least one of message_id, event_id, attempt_id and endpoint_id"]

/** The validation problem of a query without any id to search by. */
export const missingFilter = ({ value }: PartialDecode<DeliveryListQuery>): Problems => {
  const ids = [value.messageId, value.eventId, value.attemptId, value.endpointId]
  return ids.every((id) => id === null)
    ? { message_id: missing, event_id: missing, attempt_id: missing, endpoint_id: missing }
    : {}
}

/**
 * The filter for all ids of the query. `message_id` matches the deliveries of the message's events; unknown ids match
 * none.
 */
export const deliveryFilter = (
  storage: Storage,
  { attemptId, endpointId, eventId, messageId, status }: Partial<DeliveryListQuery>
): Effect.Effect<Condition<"deliveries">, ReadError> =>
  Effect.map(
    storage.read({
      attempts: lookupById("attempts", attemptId),
      events: messageId == null ? null : lookup("events", { subjectId: messageId })
    }),
    ({ attempts, events }) => {
      const ofMessage = events.map(({ id }) => id)
      return {
        ...(attemptId == null ? {} : { id: attempts.map(({ deliveryId }) => deliveryId) }),
        ...(messageId == null
          ? {}
          : { eventId: eventId == null ? ofMessage : ofMessage.filter((id) => id === eventId) }),
        ...(messageId == null && eventId != null ? { eventId } : {}),
        ...definedFilters({ endpointId, status })
      }
    }
  )
