import { storableText } from "../../kernel/text/storableText.js"
import {
  type Billing,
  type Envelope,
  emptyEnvelope,
  type Message,
  noPricing,
  type Pricing
} from "../../model/Message.js"

/** {@link billed} of a message's envelope; the same message if nothing is new. */
export const withBilling = (message: Message, reports: ReadonlyArray<Billing | undefined>): Message => {
  const envelope = billed(message.envelope, reports)
  return envelope === message.envelope ? message : { ...message, envelope }
}

/**
 * The envelope with what the vendor tells of price and segments, in the order of its reports: a later value replaces an
 * earlier one, and what a report leaves out stays (docs/reference/messages.md#pricing). The same object if nothing is
 * new.
 */
export const billed = (envelope: Envelope | null, reports: ReadonlyArray<Billing | undefined>): Envelope | null => {
  const before = { pricing: envelope?.pricing ?? null, segments: envelope?.segments ?? null }
  let { pricing, segments } = before
  for (const report of reports) {
    pricing = merged(pricing, report?.pricing ?? null)
    segments = segmentsOf(report) ?? segments
  }
  if (pricing === before.pricing && segments === before.segments) return envelope
  return {
    ...(envelope ?? emptyEnvelope),
    ...(pricing === null ? {} : { pricing }),
    ...(segments === null ? {} : { segments })
  }
}

const segmentsOf = (report: Billing | undefined): number | null => {
  const { segments = null } = report ?? {}
  return segments !== null && Number.isSafeInteger(segments) && segments >= 0 ? segments : null
}

const merged = (before: Pricing | null, reported: Pricing | null): Pricing | null => {
  if (reported === null) return before
  const known = before ?? noPricing
  const text = (field: "category" | "model" | "price" | "currency") => {
    const value = reported[field]
    return value === null ? known[field] : storableText(value, maxTextLength)
  }
  const after: Pricing = {
    billable: reported.billable ?? known.billable,
    category: text("category"),
    model: text("model"),
    price: text("price"),
    currency: text("currency")
  }
  return fields.every((field) => after[field] === known[field]) ? before : after
}

const fields = ["billable", "category", "model", "price", "currency"] as const

/** Maximum length of a vendor's name or price, in code points. */
const maxTextLength = 100
