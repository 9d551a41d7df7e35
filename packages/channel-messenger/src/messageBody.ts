import type { Channel, ContentOf, OutboundFile, OutboundMessage } from "@parley/core"
import { midOf } from "./eventId.js"

/**
 * The request body of a message (docs/reference/messenger.md#send-request). Messenger returns `metadata` in the echo,
 * so that a message whose answer was lost is still recognised. Instagram has no such field.
 */
export const messageBody = (channel: Channel, message: OutboundMessage): object => ({
  recipient: { id: message.to },
  messaging_type: "RESPONSE",
  message: { ...contentBody(message), ...(channel === "facebook" ? { metadata: message.id } : {}) },
  ...replyTo(message)
})

/** Events without an id of Meta's, such as a reaction, cannot be quoted. */
const replyTo = ({ quoted }: OutboundMessage): object => {
  const mid = quoted == null ? null : midOf(quoted)
  return mid === null ? {} : { reply_to: { mid } }
}

const contentBody = ({ body, content = null, files = [] }: OutboundMessage): object => {
  const [file] = files
  if (file !== undefined) return { attachment: fileBody(file) }
  return content?.type === "choices" ? { text: body, quick_replies: quickReplies(content) } : { text: body }
}

/** Meta fetches the file by its URL. */
const fileBody = ({ type, url }: OutboundFile): object => ({
  type: type === "image" || type === "video" || type === "audio" ? type : "file",
  payload: { url, is_reusable: false }
})

const quickReplies = ({ options }: ContentOf<"choices">): ReadonlyArray<object> =>
  options.map(({ id, title }) => ({ content_type: "text", title, payload: id }))
