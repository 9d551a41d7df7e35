import type { Endpoint } from "../../model/Endpoint.js"
import type { Event } from "../../model/Event.js"

/** What the data of an event names its conversation by. */
interface OfConversation {
  readonly message?: { readonly conversation_id: string }
  readonly conversation?: { readonly id: string }
}

/**
 * The key whose deliveries go one after another to the endpoint: the event's conversation. Null: the endpoint asks for
 * no order, or the event has no conversation (docs/reference/webhooks.md#order-of-a-conversation).
 */
export const orderKey = ({ ordered }: Pick<Endpoint, "ordered">, event: Pick<Event, "data">): string | null => {
  if (ordered === null) return null
  const { conversation, message }: OfConversation = JSON.parse(event.data)
  return message?.conversation_id ?? conversation?.id ?? null
}
