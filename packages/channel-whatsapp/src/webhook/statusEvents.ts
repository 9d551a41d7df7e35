import { InboundEvent, type Instant, isUuid, type MessageError, noPricing, type Receipt } from "@parley/core"
import { fieldsOf, listOf, type Meaning, numberOf, textOf, unknownEvent } from "@parley/provider-kit"
import { meaningOf } from "../Meaning.js"
import { handleOf } from "./handleOf.js"
import { instantOf } from "./instantOf.js"

type Status = Receipt["status"]

const statuses: ReadonlyArray<unknown> = ["sent", "delivered", "read", "failed"] satisfies ReadonlyArray<Status>
const isStatus = (status: unknown): status is Status => statuses.includes(status)

/**
 * The events of one of a change's `statuses`: a receipt, which also reports if Meta refuses the account, or if the
 * customer refuses marketing messages. The latter is an event of its own too, because another program may have sent the
 * message.
 */
export const statusEvents = (value: unknown, now: Instant): ReadonlyArray<InboundEvent> => {
  const fields = fieldsOf(value)
  const { status } = fields
  const providerMessageId = textOf(fields.id)
  if (providerMessageId === null || !isStatus(status)) {
    return [unknownEvent(typeof status === "string" ? `status.${status}` : "status", value)]
  }
  const error = fieldsOf(listOf(fields.errors)[0])
  const code = numberOf(error.code) ?? unspecified
  const meaning = status === "failed" ? meaningOfFailure(code) : null
  const messageId = ownIdOf(fields.biz_opaque_callback_data)
  const optOut = meaning?.kind === "rejected" ? meaning.optOut : undefined
  const at = instantOf(fields.timestamp)
  const receipt = InboundEvent.Receipt({
    providerMessageId,
    messageId,
    receipt: {
      status,
      at: at ?? now,
      error: meaning && { ...errorOf(meaning), ...(code === unspecified ? {} : { provider: providerOf(code, error) }) },
      ...billingOf(fields.pricing)
    },
    ...(meaning?.kind === "rejected" && meaning.scope === "connection"
      ? { refusal: { providerCode: `${code}`, providerMessage: meaning.message } }
      : {}),
    ...(optOut === undefined ? {} : { optOut })
  })
  const handle = handleOf(fields.recipient_id, fields.recipient_user_id)
  return optOut === undefined || handle === null
    ? [receipt]
    : [receipt, InboundEvent.OptOut({ handle, scope: optOut, optedOut: true, ...(at === null ? {} : { at }) })]
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
const ownIdOf = (data: unknown): string | null => (typeof data === "string" && isUuid(data) ? data : null)

const meaningOfFailure = (code: number): Meaning => meaningOf({ code, subcode: null, isTransient: false }, null)

/** Not a code of Meta's. */
const unspecified = -1

/** Meta's code and words, for administrators (docs/reference/messages.md#message-errors). */
const providerOf = (code: number, { error_data, message, title }: ReturnType<typeof fieldsOf>) => ({
  code: `${code}`,
  message: textOf(fieldsOf(error_data).details) ?? textOf(message) ?? textOf(title) ?? ""
})

/** The error of a permanent failure, in our words. */
const errorOf = (meaning: Meaning): MessageError =>
  meaning.kind === "rejected"
    ? { code: meaning.code, message: meaning.message }
    : { code: "provider_error", message: "WhatsApp could not deliver the message." }
