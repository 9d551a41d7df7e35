import type { FileLinks } from "../attachments/fileLink.js"
import type { Event } from "../events/Event.js"
import { encodeFileLink, type MessageResource } from "../messages/MessageResource.js"

/**
 * An event with fresh links to the files of its message: what was written down has none, since they are good for a while
 * only (decisions.md §12). Others are as they were, at the price of a look: in a JSON text, quotes of a string are escaped,
 * so that what is looked for is a field.
 */
export const linkedEvent = (event: Event, links: FileLinks): Event => {
  if (!event.type.startsWith("message.") || !event.data.includes('"attachments":[{')) return event
  const data: { readonly message: typeof MessageResource.Encoded } = JSON.parse(event.data)
  const attachments = data.message.attachments.map((one) => ({ ...one, ...encodeFileLink(links(one.id)) }))
  return { ...event, data: JSON.stringify({ ...data, message: { ...data.message, attachments } }) }
}
