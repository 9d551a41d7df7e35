import { InboundEvent, type Instant, isUuid, type MessageError, noPricing, type Receipt } from "@parley/core"
import { fieldsOf, type Meaning, unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { meaningOf } from "../Meaning.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

const readStatus = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.NonEmptyString,
    status: Schema.Literal("sent", "delivered", "read", "failed"),
    timestamp: Schema.optional(Schema.Union(Schema.String, Schema.Number)),
    recipient_id: Schema.optional(Schema.String),
    recipient_user_id: Schema.optional(Schema.String),
    biz_opaque_callback_data: Schema.optional(Schema.String),
    pricing: Schema.optional(Schema.Unknown),
    errors: Schema.optional(Schema.Array(Schema.Struct({ code: Schema.Number })))
  })
)

const readKind = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))

/**
 * The events of one of a change's `statuses`: a receipt, which also reports if Meta refuses the account; and an opt-out
 * if the customer refuses marketing messages.
 */
export const statusEvents = (value: unknown, now: Instant): ReadonlyArray<InboundEvent> => {
  const status = Option.getOrNull(readStatus(value))
  if (status === null) {
    const kind = Option.getOrNull(readKind(value))
    return [unknownEvent(kind === null ? "status" : `status.${kind.status}`, value)]
  }
  const code = status.errors?.[0]?.code ?? unspecified
  const meaning = status.status === "failed" ? meaningOfFailure(code) : null
  const receipt = InboundEvent.Receipt({
    providerMessageId: status.id,
    messageId: ownIdOf(status.biz_opaque_callback_data),
    receipt: {
      status: status.status,
      at: instantOf(status.timestamp) ?? now,
      error: meaning && errorOf(meaning),
      ...billingOf(status.pricing)
    },
    ...(meaning?.kind === "rejected" && meaning.scope === "connection"
      ? { refusal: { providerCode: `${code}`, providerMessage: meaning.message } }
      : {})
  })
  const handle = handleOf(status.recipient_id, status.recipient_user_id)
  const optOut = meaning?.kind === "rejected" ? meaning.optOut : undefined
  return optOut === undefined || handle === null
    ? [receipt]
    : [receipt, InboundEvent.OptOut({ handle, scope: optOut, optedOut: true })]
}

/** What the status tells of its price, field by field (docs/reference/whatsapp.md#pricing). */
const billingOf = (pricing: unknown): Pick<Receipt, "billing"> => {
  const { billable, category, pricing_model } = fieldsOf(pricing)
  const reported = {
    ...noPricing,
    billable: typeof billable === "boolean" ? billable : null,
    category: typeof category === "string" ? category : null,
    model: typeof pricing_model === "string" ? pricing_model : null
  }
  return reported.billable === null && reported.category === null ? {} : { billing: { pricing: reported } }
}

/** Parley's message id, which is `biz_opaque_callback_data` unless another program sends from the same number. */
const ownIdOf = (data: string | undefined): string | null => (data !== undefined && isUuid(data) ? data : null)

const meaningOfFailure = (code: number): Meaning => meaningOf({ code, subcode: null, isTransient: false }, null)

/** Not a code of Meta's. */
const unspecified = -1

/** The error of a permanent failure, without text of Meta's (docs/reference/messages.md#message-errors). */
const errorOf = (meaning: Meaning): MessageError =>
  meaning.kind === "rejected"
    ? { code: meaning.code, message: meaning.message }
    : { code: "provider_error", message: "WhatsApp could not deliver the message." }
