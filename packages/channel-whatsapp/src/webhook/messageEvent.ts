import { InboundEvent } from "@parley/core"
import { type Fields, fieldsOf, idOf, textOf, unknownEvent } from "@parley/provider-kit"
import { contentOf } from "./content.js"
import { contextOf } from "./context.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

const changes: ReadonlyArray<unknown> = ["user_changed_number", "customer_changed_number", "user_changed_user_id"]

/** The event of one of a change's `messages`; names and user ids are those of its `contacts`. */
export const messageEvent = (
  value: unknown,
  names: ReadonlyMap<string, string>,
  userIds: ReadonlyMap<string, string>
): InboundEvent => {
  const fields = fieldsOf(value)
  const id = textOf(fields.id)
  const from = handleOf(fields.from, fields.from_user_id)
  if (id === null || from === null) return unknownEvent("message", value)
  // A message in a group is not for the business alone, and a reply would not be sent to the group.
  if (idOf(fields.group_id) !== null) return unknownEvent("message.group", value)
  const to = fields.type === "system" ? newHandleOf(fieldsOf(fields.system)) : null
  if (to !== null) return InboundEvent.HandleChanged({ from, to })
  const number = idOf(fields.from) ?? ""
  const userId = idOf(fields.from_user_id) ?? userIds.get(number) ?? null
  const at = instantOf(fields.timestamp)
  return InboundEvent.Message({
    ...contextOf(fields),
    ...contentOf(textOf(fields.type) ?? "message", fields),
    providerMessageId: id,
    from,
    ...(at === null ? {} : { at }),
    ...(userId === null ? {} : userId === from ? { substitute: true } : { otherHandle: userId }),
    subject: null,
    displayName: names.get(number) ?? names.get(userId ?? "") ?? null,
    automatic: false
  })
}

/** The customer's new number or business-scoped id, if the message is WhatsApp's notice of the change. */
const newHandleOf = ({ new_wa_id, type, user_id, wa_id }: Fields): string | null =>
  // `new_wa_id` until version 12 of the API.
  changes.includes(type) ? handleOf(type === "user_changed_user_id" ? null : (idOf(wa_id) ?? new_wa_id), user_id) : null
