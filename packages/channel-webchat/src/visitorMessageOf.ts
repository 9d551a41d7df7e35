import type { Message } from "@parley/core"
import type { VisitorMessage } from "./VisitorMessage.js"

/** The provider's id of a visitor's message: of the visitor and the widget's own id, so that a resend is no second message. */
export const inboundId = (handle: string, clientId: string): string => `${handle}/${clientId}`

/** The message as its visitor, of this handle, gets it. */
export const visitorMessageOf = (handle: string, message: Message): VisitorMessage => {
  const { id, direction, body, providerMessageId, status, createdAt } = message
  const own = direction === "inbound"
  return {
    id,
    direction,
    body,
    client_id: own ? (providerMessageId?.slice(inboundId(handle, "").length) ?? null) : null,
    is_read: own || status === "read",
    created_at: new Date(createdAt).toISOString()
  }
}
