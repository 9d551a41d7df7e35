import type { InboundEvent, Instant } from "@parley/core"
import { unknownEvent } from "@parley/provider-kit"
import { Option, Schema } from "effect"
import { editEvents, optInEvents, reactionEvents, referralEvents } from "./annotationEvents.js"
import { deliveryEvents } from "./deliveryEvents.js"
import { type Happening, happeningOf } from "./Happening.js"
import { messageEvents } from "./messageEvents.js"
import { postbackEvents } from "./postbackEvents.js"
import { readEvents } from "./readEvents.js"

/** The events of one `messaging` item. */
export const messagingEvents = (value: unknown, now: Instant): ReadonlyArray<InboundEvent> => {
  const happening = happeningOf(value)
  const kind = kindOf(value)
  const read = readers.get(kind)
  return happening === null || read === undefined ? [unknownEvent(kind, value)] : read(value, happening, now)
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

const readFields = Schema.decodeUnknownOption(Schema.Record({ key: Schema.String, value: Schema.Unknown }))

/** The known field that identifies the kind; otherwise the first field that is not common to all kinds. */
const kindOf = (value: unknown): string => {
  const fields = Object.keys(Option.getOrElse(readFields(value), () => ({}))).filter((field) => !isCommon(field))
  return fields.find((field) => readers.has(field)) ?? fields[0] ?? "messaging"
}

const isCommon = (field: string): boolean => field === "sender" || field === "recipient" || field === "timestamp"
