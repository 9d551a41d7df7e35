import type { Event } from "../../model/Event.js"
import type { EncodedQuote } from "../../resources/messages/EnvelopeResource.js"
import type { MessageResource } from "../../resources/messages/MessageResource.js"

/**
 * Removes what the receiving application may not see of a quoted message: the id of another application's message
 * (docs/reference/content.md#quoted-messages). A null application sees all: a subscription of the workspace. Stored
 * events name that application. Fast path: a substring test finds events with a quote, because quotes inside JSON
 * strings are escaped.
 */
export const withVisibleQuote = <E extends Pick<Event, "type" | "data">>(event: E, applicationId: string | null): E => {
  if (!event.type.startsWith("message.") || !event.data.includes('"quoted":{')) return event
  const data: { readonly message: typeof MessageResource.Encoded & { readonly quoted?: EncodedQuote } } = JSON.parse(
    event.data
  )
  if (data.message.quoted === undefined) return event
  const { application_id: owner = applicationId, ...quoted } = data.message.quoted
  const visible = applicationId === null || owner === applicationId ? quoted : { ...quoted, message_id: null }
  return { ...event, data: JSON.stringify({ ...data, message: { ...data.message, quoted: visible } }) }
}
