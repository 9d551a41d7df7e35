import { InboundEvent, type Instant, isUuid, type MessageError, second } from "@parley/core"
import { Option, Schema } from "effect"
import { type Meaning, meaningOf } from "../Meaning.js"
import { handleOf } from "./handleOf.js"
import { unknown } from "./unknown.js"

const readStatus = Schema.decodeUnknownOption(
  Schema.Struct({
    id: Schema.NonEmptyString,
    status: Schema.Literal("sent", "delivered", "read", "failed"),
    timestamp: Schema.optional(Schema.Union(Schema.String, Schema.Number)),
    recipient_id: Schema.optional(Schema.String),
    recipient_user_id: Schema.optional(Schema.String),
    biz_opaque_callback_data: Schema.optional(Schema.String),
    errors: Schema.optional(Schema.Array(Schema.Struct({ code: Schema.Number })))
  })
)

const readKind = Schema.decodeUnknownOption(Schema.Struct({ status: Schema.String }))

/**
 * What one of a change's `statuses` tells: a receipt, which says so where Meta refuses the account; and where a customer wants no
 * more marketing, that too.
 */
export const statusEvents = (value: unknown, now: Instant): ReadonlyArray<InboundEvent> => {
  const status = Option.getOrNull(readStatus(value))
  if (status === null) {
    const kind = Option.getOrNull(readKind(value))
    return [unknown(kind === null ? "status" : `status.${kind.status}`, value)]
  }
  const code = status.errors?.[0]?.code ?? unspecified
  const meaning = status.status === "failed" ? meaningOfFailure(code) : null
  const receipt = InboundEvent.Receipt({
    providerMessageId: status.id,
    messageId: ownIdOf(status.biz_opaque_callback_data),
    receipt: { status: status.status, at: instantOf(status.timestamp) ?? now, error: meaning && errorOf(meaning) },
    ...(meaning?.kind === "rejected" && meaning.scope === "connection"
      ? { refusal: { providerCode: `${code}`, providerMessage: meaning.words } }
      : {})
  })
  const handle = handleOf(status.recipient_id, status.recipient_user_id)
  const wish = meaning?.kind === "rejected" ? meaning.optOut : undefined
  return wish === undefined || handle === null
    ? [receipt]
    : [receipt, InboundEvent.OptOut({ handle, scope: wish, optedOut: true })]
}

/** Our message's id: what `biz_opaque_callback_data` is, unless somebody else sends on the same number. */
const ownIdOf = (data: string | undefined): string | null => (data !== undefined && isUuid(data) ? data : null)

/** Seconds since 1970, as text. */
const instantOf = (timestamp: string | number | undefined): Instant | null =>
  timestamp !== undefined && /^\d{1,12}$/.test(String(timestamp)) ? Number(timestamp) * second : null

const meaningOfFailure = (code: number): Meaning => meaningOf({ code, subcode: null, isTransient: false }, null)

/** No code of Meta's. */
const unspecified = -1

/** Of a failure that is final, in our own words (decisions.md §8). */
const errorOf = (meaning: Meaning): MessageError =>
  meaning.kind === "rejected"
    ? { code: meaning.code, message: meaning.words }
    : { code: "provider_error", message: "WhatsApp could not deliver the message." }
