import { InboundEvent } from "@parley/core"
import { Option, Schema } from "effect"
import { Chat } from "./Chat.js"
import { unknown } from "./unknown.js"

const readMembership = Schema.decodeUnknownOption(
  Schema.Struct({
    chat: Chat,
    new_chat_member: Schema.Struct({ status: Schema.Literal("kicked", "member") })
  })
)

/** What an update's `my_chat_member` tells: in a private chat, that the customer blocked the bot, or lets it write again. */
export const membershipEvent = (value: unknown): InboundEvent => {
  const membership = Option.getOrNull(readMembership(value))
  if (membership === null || membership.chat.type !== "private") return unknown("my_chat_member", value)
  const { chat, new_chat_member } = membership
  return InboundEvent.OptOut({
    handle: String(chat.id),
    scope: "all",
    optedOut: new_chat_member.status === "kicked"
  })
}
