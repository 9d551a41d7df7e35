import { InboundEvent, second } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { chatOf } from "./Chat.js"
import { fieldsOf, integerIn } from "./fields.js"

/** The event of a `my_chat_member`: in a private chat, the customer blocked the bot or unblocked it. */
export const membershipEvent = (value: unknown): InboundEvent => {
  const membership = fieldsOf(value)
  const chat = chatOf(membership)
  const { status } = fieldsOf(membership.new_chat_member)
  const date = integerIn(membership, "date")
  if (chat?.type !== "private" || (status !== "kicked" && status !== "member")) {
    return unknownEvent("my_chat_member", value)
  }
  const at = date === null ? {} : { at: date * second }
  return InboundEvent.OptOut({ handle: String(chat.id), scope: "all", optedOut: status === "kicked", ...at })
}
