import type { Message } from "@parley/core"
import type { VisitorMessage } from "./VisitorMessage.js"

/**
 * The provider message id of a visitor's message: it contains the handle and the widget's id, so that a resend stores
 * no second message.
 */
export const inboundId = (handle: string, clientId: string): string => `${handle}/${clientId}`

/** The message in the wire shape for the visitor with this handle. */
export const visitorMessageOf = (handle: string, message: Message): VisitorMessage => {
  const { id, direction, body, content, providerMessageId, status, createdAt } = message
  const own = direction === "inbound"
  return {
    id,
    direction,
    body,
    ...(content?.type === "choices" ? { options: content.options } : {}),
    client_id: own ? (providerMessageId?.slice(inboundId(handle, "").length) ?? null) : null,
    is_read: own || status === "read",
    created_at: new Date(createdAt).toISOString()
  }
}
