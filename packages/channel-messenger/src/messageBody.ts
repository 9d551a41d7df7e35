import type { Channel, OutboundMessage } from "@parley/core"

/**
 * A message as Meta takes it (channels.md). Messenger's `metadata` comes back with the echo, so that a send whose answer was lost is
 * still recognised; Instagram has no such field.
 */
export const messageBody = (channel: Channel, { body, id, to }: OutboundMessage): object => ({
  recipient: { id: to },
  messaging_type: "RESPONSE",
  message: channel === "facebook" ? { text: body, metadata: id } : { text: body }
})
