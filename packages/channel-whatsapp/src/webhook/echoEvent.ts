import { InboundEvent, type Instant } from "@parley/core"
import { fieldsOf, unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { contentOf } from "./content.js"
import { contextOf } from "./context.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

const readEcho = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.NonEmptyString,
    type: Schema.String,
    to: Schema.optionalWith(Schema.String, { nullable: true }),
    to_user_id: Schema.optionalWith(Schema.String, { nullable: true }),
    group_id: Schema.optionalWith(Schema.String, { nullable: true }),
    timestamp: Schema.optional(Schema.Union(Schema.String, Schema.Number))
  })
)

/** Types that say something about another message, or nothing to the customer. */
const notMirrored: ReadonlySet<string> = new Set(["revoke", "edit", "system"])

/**
 * The event of one of a change's `message_echoes`: what the business wrote in the WhatsApp Business app. Messages that
 * are sent through the API have no echo.
 */
export const echoEvent = (value: unknown, now: Instant): InboundEvent => {
  const echo = Option.getOrNull(readEcho(value))
  const to = echo && handleOf(echo.to, echo.to_user_id)
  if (echo === null || to === null || echo.group_id !== undefined || notMirrored.has(echo.type)) {
    return unknownEvent("message_echo", value)
  }
  const fields = fieldsOf(value)
  const { attachments, body, content, quoted } = { ...contextOf(fields), ...contentOf(echo.type, fields) }
  return InboundEvent.Echo({
    providerMessageId: echo.id,
    to,
    at: instantOf(echo.timestamp) ?? now,
    body,
    content: content ?? null,
    quoted: quoted ?? null,
    attachments
  })
}
