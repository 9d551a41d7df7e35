import { InboundEvent } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { Chat } from "./Chat.js"

const readMembership = Schema.decodeUnknownOption(
  Schema.Struct({
    chat: Chat,
    new_chat_member: Schema.Struct({ status: Schema.Literal("kicked", "member") })
  })
)

/** The event of a `my_chat_member`: in a private chat, the customer blocked the bot or unblocked it. */
export const membershipEvent = (value: unknown): InboundEvent => {
  const membership = Option.getOrNull(readMembership(value))
  if (membership === null || membership.chat.type !== "private") return unknownEvent("my_chat_member", value)
  const { chat, new_chat_member } = membership
  return InboundEvent.OptOut({
    handle: String(chat.id),
    scope: "all",
    optedOut: new_chat_member.status === "kicked"
  })
}
