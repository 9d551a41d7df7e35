import type { Instant, Message, ProviderContext, ShownAgent } from "@parley/core"
import type { VisitorMessage } from "./VisitorMessage.js"

/**
 * The provider message id of a visitor's message: it contains the handle and the widget's id, so that a resend stores
 * no second message.
 */
export const inboundId = (handle: string, clientId: string): string => `${handle}/${clientId}`

/** What one message needs to be shown. */
interface MessageReader {
  readonly context: Pick<ProviderContext, "fileUrl">
  readonly handle: string
  /** The agent who wrote it. */
  readonly agent: ShownAgent | undefined
  /** The message that it answers. */
  readonly quoted: Message | undefined
  readonly now: Instant
}

/** The message in the wire shape for the visitor with this handle. */
export const visitorMessageOf = (
  message: Message,
  { agent, context, handle, now, quoted }: MessageReader
): VisitorMessage => {
  const { id, direction, body, content, attachments, providerMessageId, status, createdAt } = message
  const own = direction === "inbound"
  return {
    id,
    direction,
    body,
    ...(content?.type === "choices" ? { options: content.options } : {}),
    ...(quoted === undefined ? {} : { quoted: { id: quoted.id, body: quotedText(quoted) } }),
    ...(attachments.length === 0
      ? {}
      : {
          attachments: attachments.map(({ id, contentType, fileName, size }) => ({
            id,
            content_type: contentType,
            file_name: fileName,
            size,
            url: context.fileUrl(id, now)
          }))
        }),
    ...(agent === undefined ? {} : { agent: agent.name }),
    ...(agent?.avatarUrl == null ? {} : { agent_avatar: agent.avatarUrl }),
    client_id: own ? (providerMessageId?.slice(inboundId(handle, "").length) ?? null) : null,
    is_read: own || status === "read",
    created_at: new Date(createdAt).toISOString()
  }
}

/** Maximum length of the text of a quote, in characters. */
const maxQuoteLength = 200

const quotedText = ({ attachments, body }: Message): string => {
  const text = [...(body === "" ? attachments.map(({ fileName }) => fileName ?? "📎").join(", ") : body)]
  return text.length > maxQuoteLength ? `${text.slice(0, maxQuoteLength - 1).join("")}…` : text.join("")
}
