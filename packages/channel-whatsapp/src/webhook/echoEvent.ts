import { InboundEvent, type Instant } from "@parley/core"
import { fieldsOf, idOf, textOf, unknownEvent } from "@parley/provider-kit"
import { contentOf } from "./content.js"
import { contextOf } from "./context.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

/**
 * The event of one of a change's `message_echoes`: what the business wrote, edited or deleted in the WhatsApp Business
 * app. Messages that are sent through the API have no echo. A notice says nothing to the customer.
 */
export const echoEvent = (value: unknown, now: Instant): InboundEvent => {
  const fields = fieldsOf(value)
  const id = textOf(fields.id)
  const to = handleOf(fields.to, fields.to_user_id)
  const { group_id, type } = fields
  if (id === null || to === null || idOf(group_id) !== null || typeof type !== "string" || type === "system") {
    return unknownEvent("message_echo", value)
  }
  const { attachments, body, content, forwarded, quoted } = { ...contextOf(fields), ...contentOf(type, fields) }
  // An edit or a deletion that does not name its message.
  if ((type === "revoke" || type === "edit") && content?.type === "unsupported")
    return unknownEvent("message_echo", value)
  return InboundEvent.Echo({
    providerMessageId: id,
    to,
    at: instantOf(fields.timestamp) ?? now,
    body,
    content: content ?? null,
    quoted: quoted ?? null,
    ...(forwarded === true ? { forwarded } : {}),
    attachments
  })
}
