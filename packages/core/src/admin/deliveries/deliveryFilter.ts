import { Effect } from "effect"
import type { Problems } from "../../errors/Refusal.js"
import type { Draft } from "../../input/Draft.js"
import type { Condition } from "../../ports/Changes.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { chosen } from "../chosen.js"
import type { DeliveryListQuery } from "./DeliveryListQuery.js"

const missing = ["give at least one of message_id, event_id, attempt_id and endpoint_id"]

/** What is wrong with a query that names nothing that deliveries could be found by. */
export const missingFilter = ({ value }: Draft<DeliveryListQuery>): Problems => {
  const ids = [value.messageId, value.eventId, value.attemptId, value.endpointId]
  return ids.every((id) => id === null)
    ? { message_id: missing, event_id: missing, attempt_id: missing, endpoint_id: missing }
    : {}
}

/** Which deliveries meet all that a query names. A message has those of its events; unknown ids have none. */
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
        ...chosen({ endpointId, status })
      }
    }
  )
