import type { InboundEvent, Instant } from "@parley/core"
import { fieldsOf, unknownEvent } from "@parley/provider-kit"
import { editEvents, optInEvents, reactionEvents, referralEvents } from "./annotationEvents.js"
import { deliveryEvents } from "./deliveryEvents.js"
import { type Happening, happeningOf, timeOf } from "./Happening.js"
import { messageEvents } from "./messageEvents.js"
import { policyEvents } from "./policyEvents.js"
import { postbackEvents } from "./postbackEvents.js"
import { readEvents } from "./readEvents.js"

/** The events of one `messaging` item of an account. */
export const messagingEvents = (value: unknown, account: string, now: Instant): ReadonlyArray<InboundEvent> => {
  const happening = happeningOf(value)
  const kind = kindOf(value)
  if (kind === "policy_enforcement") return policyEvents(value, timeOf(value) ?? now)
  const read = readers.get(kind)
  // Events of the account itself are not a customer's. Only its messages are read, as echoes.
  const isOwn = happening?.sender === account && kind !== "message"
  return happening === null || read === undefined || isOwn ? [unknownEvent(kind, value)] : read(value, happening, now)
}

type Reader = (value: unknown, happening: Happening, now: Instant) => ReadonlyArray<InboundEvent>

/**
 * Readers by the field that identifies the kind of event. Other kinds become unknown events: account links, handovers
 * between apps, …
 */
const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ["message", messageEvents],
  ["postback", postbackEvents],
  ["reaction", reactionEvents],
  ["message_edit", editEvents],
  ["referral", referralEvents],
  ["optin", optInEvents],
  ["delivery", deliveryEvents],
  ["read", readEvents]
])

/** The known field that identifies the kind; otherwise the first field that is not common to all kinds. */
const kindOf = (value: unknown): string => {
  const fields = Object.entries(fieldsOf(value)).filter(([field, content]) => !isCommon(field) && content !== null)
  return (fields.find(([field]) => readers.has(field)) ?? fields[0])?.[0] ?? "messaging"
}

const isCommon = (field: string): boolean => field === "sender" || field === "recipient" || field === "timestamp"
