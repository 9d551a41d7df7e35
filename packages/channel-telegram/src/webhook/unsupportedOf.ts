import { type Fields, fieldsOf, lines, listIn, numberIn, textIn } from "./fields.js"
import type { ReadContent } from "./ReadContent.js"

/** The fields of a message that are not its content. */
const common: ReadonlySet<string> = new Set([
  "message_id",
  "message_thread_id",
  "direct_messages_topic",
  "from",
  "sender_chat",
  "sender_boost_count",
  "sender_business_bot",
  "sender_tag",
  "guest_query_id",
  "guest_bot_caller_user",
  "guest_bot_caller_chat",
  "business_connection_id",
  "date",
  "chat",
  "forward_origin",
  "forward_from",
  "forward_from_chat",
  "forward_from_message_id",
  "forward_sender_name",
  "forward_signature",
  "forward_date",
  "is_topic_message",
  "is_automatic_forward",
  "is_from_offline",
  "is_paid_post",
  "reply_to_message",
  "external_reply",
  "quote",
  "reply_to_story",
  "reply_to_checklist_task_id",
  "reply_to_poll_option_id",
  "via_bot",
  "edit_date",
  "has_protected_content",
  "has_media_spoiler",
  "show_caption_above_media",
  "media_group_id",
  "author_signature",
  "paid_star_count",
  "link_preview_options",
  "suggested_post_info",
  "effect_id",
  "entities",
  "caption",
  "caption_entities",
  "reply_markup"
])

/** A message of another kind: a poll, a dice, a game, a file that cannot be read, … `kind` is the name of its field. */
export const unsupportedOf = (message: Fields, caption: string): ReadContent => {
  const kind = Object.keys(message).find((name) => !common.has(name) && message[name] != null) ?? "message"
  return {
    body: lines(textOf(fieldsOf(message[kind])), caption) || `Unsupported content: ${kind}`,
    content: { type: "unsupported", kind },
    attachments: []
  }
}

/** What can be read of a poll, a checklist, a dice, a game or an invoice. */
const textOf = (fields: Fields): string =>
  lines(
    textIn(fields, "question"),
    textIn(fields, "title"),
    textIn(fields, "description"),
    ...listIn(fields, "options").map((option) => textIn(option, "text")),
    ...listIn(fields, "tasks").map((task) => textIn(task, "text")),
    [textIn(fields, "emoji"), numberIn(fields, "value")].filter((one) => one !== null).join(" ")
  )
