import { InboundEvent } from "@parley/core"
import { fieldsOf, unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { contentOf } from "./content.js"
import { contextOf } from "./context.js"
import { handleOf } from "./handleOf.js"

const readMessage = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.NonEmptyString,
    type: Schema.String,
    from: Schema.optionalWith(Schema.String, { nullable: true }),
    from_user_id: Schema.optionalWith(Schema.String, { nullable: true }),
    group_id: Schema.optionalWith(Schema.String, { nullable: true })
  })
)

const readChange = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.Literal("system"),
    system: Schema.Struct({
      type: Schema.Literal("user_changed_number", "customer_changed_number", "user_changed_user_id"),
      wa_id: Schema.optional(Schema.String),
      // Until version 12 of the API.
      new_wa_id: Schema.optional(Schema.String),
      user_id: Schema.optional(Schema.String)
    })
  })
)

/** The event of one of a change's `messages`; names and user ids are those of its `contacts`. */
export const messageEvent = (
  value: unknown,
  names: ReadonlyMap<string, string>,
  userIds: ReadonlyMap<string, string>
): InboundEvent => {
  const message = Option.getOrNull(readMessage(value))
  const from = message && handleOf(message.from, message.from_user_id)
  const userId = handleOf(undefined, message?.from_user_id ?? userIds.get(message?.from ?? ""))
  if (message === null || from === null) return unknownEvent("message", value)
  // A message in a group is not for the business alone, and a reply would not be sent to the group.
  if (message.group_id !== undefined) return unknownEvent("message.group", value)
  const to = newHandleOf(value)
  if (to !== null) return InboundEvent.HandleChanged({ from, to })
  const fields = fieldsOf(value)
  return InboundEvent.Message({
    ...contextOf(fields),
    ...contentOf(message.type, fields),
    providerMessageId: message.id,
    from,
    ...(userId === null ? {} : userId === from ? { substitute: true } : { otherHandle: userId }),
    subject: null,
    displayName: names.get(message.from ?? "") ?? names.get(message.from_user_id ?? "") ?? null,
    automatic: false
  })
}

/** The customer's new number or business-scoped id, if the message is WhatsApp's notice of the change. */
const newHandleOf = (value: unknown): string | null =>
  Option.match(readChange(value), {
    onNone: () => null,
    onSome: ({ system: { new_wa_id, type, user_id, wa_id } }) =>
      handleOf(type === "user_changed_user_id" ? undefined : (wa_id ?? new_wa_id), user_id)
  })
