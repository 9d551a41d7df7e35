import type { Event } from "../../model/Event.js"
import type { FileLinks } from "../../resources/attachments/fileLink.js"
import { encodeFileLink, type MessageResource } from "../../resources/messages/MessageResource.js"

/**
 * Adds newly signed URLs to the attachments of an event's message. Stored events have none, because URLs expire
 * (docs/reference/messages.md#attachment-links). Fast path: a substring test finds events with attachments, because
 * quotes inside JSON strings are escaped.
 */
export const withFileLinks = <E extends Pick<Event, "type" | "data">>(event: E, links: FileLinks): E => {
  if (!event.type.startsWith("message.") || !event.data.includes('"attachments":[{')) return event
  const data: { readonly message: typeof MessageResource.Encoded } = JSON.parse(event.data)
  const attachments = data.message.attachments.map((one) => ({ ...one, ...encodeFileLink(links(one.id)) }))
  return { ...event, data: JSON.stringify({ ...data, message: { ...data.message, attachments } }) }
}
