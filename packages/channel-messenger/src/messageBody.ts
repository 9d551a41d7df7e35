import type { Channel, OutboundMessage } from "@parley/core"

/**
 * The request body of a message (docs/reference/messenger.md#send-request). Messenger returns `metadata` in the echo,
 * so that a message whose answer was lost is still recognised. Instagram has no such field.
 */
export const messageBody = (channel: Channel, { body, id, to }: OutboundMessage): object => ({
  recipient: { id: to },
  messaging_type: "RESPONSE",
  message: channel === "facebook" ? { text: body, metadata: id } : { text: body }
})
