import { fieldsOf, lines, listIn, numberIn, textIn } from "./fields.js"
import { nameOf } from "./Sender.js"

/** The service messages of private chats (docs/reference/telegram.md#message-contents). */
export const systemEvents: ReadonlyArray<string> = [
  "pinned_message",
  "users_shared",
  "user_shared",
  "chat_shared",
  "write_access_allowed",
  "connected_website",
  "passport_data",
  "proximity_alert_triggered",
  "message_auto_delete_timer_changed",
  "chat_background_set",
  "refunded_payment",
  "checklist_tasks_done",
  "checklist_tasks_added",
  "poll_option_added",
  "poll_option_deleted",
  "managed_bot_created",
  "forum_topic_created",
  "forum_topic_edited",
  "forum_topic_closed",
  "forum_topic_reopened",
  "gift_upgrade_sent"
]

/** Readable text of a service message: its name, and the users and chats that it names. */
export const systemText = (event: string, value: unknown): string => {
  const fields = fieldsOf(value)
  const shared = [...listIn(fields, "users"), fields].map((one) => {
    const id = numberIn(one, "user_id") ?? numberIn(one, "chat_id")
    const username = textIn(one, "username")
    const name = nameOf(one) ?? textIn(one, "title") ?? (username === null ? null : `@${username}`)
    return id === null ? name : name === null ? String(id) : `${name} (${id})`
  })
  return lines(event, ...shared, typeof value === "string" ? value : null)
}
