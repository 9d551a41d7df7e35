import { InboundEvent, type Instant, type MessageError, type Receipt } from "@parley/core"
import type { Meaning } from "@parley/provider-kit"
import { meaningOf } from "../Meaning.js"
import type { Form } from "./Form.js"

/** The statuses of a message at Twilio that change ours; null: a step before it is sent. */
const statuses: { readonly [status: string]: Receipt["status"] | null } = {
  accepted: null,
  queued: null,
  scheduled: null,
  sending: null,
  sent: "sent",
  partially_delivered: "sent",
  delivered: "delivered",
  read: "read",
  undelivered: "failed",
  failed: "failed",
  canceled: "failed"
}

/** Our status for one of Twilio's; null: a step before it is sent; undefined: it is not documented. */
export const statusOf = (status: string): Receipt["status"] | null | undefined => statuses[status]

/** The events of a reported status; null for one that is not documented. */
export const receiptOf = (
  sid: string,
  messageId: string | null,
  status: string,
  form: Form,
  now: Instant
): ReadonlyArray<InboundEvent> | null => {
  const reached = statusOf(status)
  if (reached === undefined) return null
  if (reached === null) return []
  const code = Number(form.ErrorCode ?? "")
  const meaning = reached === "failed" ? meaningOf(code, null) : null
  const receipt = InboundEvent.Receipt({
    providerMessageId: sid,
    messageId,
    receipt: { status: reached, at: timeOf(form.RawDlrDoneDate, now), error: meaning && errorOf(meaning, form) },
    ...(meaning?.kind === "rejected" && meaning.scope === "connection"
      ? { refusal: { providerCode: String(code), providerMessage: meaning.message } }
      : {})
  })
  return meaning?.kind === "rejected" && meaning.optOut !== undefined && form.To !== undefined
    ? [receipt, InboundEvent.OptOut({ handle: form.To, scope: meaning.optOut, optedOut: true })]
    : [receipt]
}

/**
 * The carrier's time, `YYMMDDhhmm` in UTC, if there is one: it has no seconds, so the present time wins within its
 * minute.
 */
const timeOf = (done: string | undefined, now: Instant): Instant => {
  const [, year, month, day, hour, minute] = /^(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(done ?? "") ?? []
  const at = year === undefined ? Number.NaN : Date.parse(`20${year}-${month}-${day}T${hour}:${minute}:00Z`)
  return Number.isNaN(at) ? now : Math.min(Math.max(at, now - dayMs), now)
}

const dayMs = 86_400_000

const errorOf = (meaning: Meaning, { ErrorCode = "", ErrorMessage = "" }: Form): MessageError => ({
  ...(meaning.kind === "rejected"
    ? { code: meaning.code, message: meaning.message }
    : { code: "provider_error", message: "The message could not be delivered." }),
  ...(ErrorCode === "" ? {} : { provider: { code: ErrorCode, message: ErrorMessage } })
})
