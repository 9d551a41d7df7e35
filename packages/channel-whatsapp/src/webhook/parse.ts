import type { AccountEvents, Connection, InboundEvent, Instant, ProviderRequest, WebhookUnreadable } from "@parley/core"
import { parseEntries, unknownEntry } from "@parley/meta-graph"
import { fieldsOf, unknownEvent, withRaw } from "@parley/provider-kit"
import { type Effect, Option, Schema } from "effect"
import { accountNotice } from "./accountNotice.js"
import { Change, Entry, NumberValue } from "./Entry.js"
import { echoEvent } from "./echoEvent.js"
import { historyEvents } from "./historyEvents.js"
import { instantOf } from "./instantOf.js"
import { messageEvent } from "./messageEvent.js"
import { namesOf, userIdsOf } from "./names.js"
import { preferenceEvent } from "./preferenceEvent.js"
import { statusEvents } from "./statusEvents.js"
import { templateEvent } from "./templateEvent.js"

const readEntry = Schema.decodeUnknownOption(Entry)
const readChange = Schema.decodeUnknownOption(Change)
const readNumberValue = Schema.decodeUnknownOption(NumberValue)

/**
 * All events of a request of Meta's: those of all entries, changes, messages and statuses. The events of each number
 * are in their order.
 */
export const parse = (
  { config }: Connection,
  request: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  parseEntries(request, (object, entry) =>
    object === "whatsapp_business_account"
      ? entryEvents(entry, config.business_account_id, now)
      : [unknownEntry(object, entry)]
  )

const entryEvents = (value: unknown, businessAccountId: unknown, now: Instant): ReadonlyArray<AccountEvents> => {
  const entry = Option.getOrNull(readEntry(value))
  if (entry === null) return [unknownEntry("entry", value)]
  return entry.changes.map((value) => {
    const change = Option.getOrNull(readChange(value))
    if (change === null) return unknownEntry("change", value)
    switch (change.field) {
      case "messages":
      case "smb_message_echoes":
      case "history":
      case "user_preferences":
        return numberEvents(change, now)
      default: {
        const event = businessEvent(change, entry, now)
        if (event === null) return unknownEntry(change.field, change.value)
        // Templates and news belong to the business account.
        return { account: entry.id, elseOwn: businessAccountId === undefined, events: [event] }
      }
    }
  })
}

/** The event of a change of the business account; null for an unknown field. */
const businessEvent = ({ field, value }: Change, { id, time }: Entry, now: Instant): InboundEvent | null => {
  // Meta's examples have quality updates under the field of status updates.
  const isQuality = fieldsOf(value).new_quality_score !== undefined
  if (field === "message_template_status_update" && !isQuality) return templateEvent(value, secondsOf(time))
  return accountNotice(isQuality ? "message_template_quality_update" : field, value, id, secondsOf(time) ?? now)
}

const secondsOf = (time: unknown): Instant | null => instantOf(typeof time === "number" ? time : undefined)

const numberEvents = ({ field, value }: Change, now: Instant): AccountEvents => {
  const read = Option.getOrNull(readNumberValue(value))
  if (read === null) return unknownEntry(field, value)
  const {
    contacts = [],
    history = [],
    message_echoes = [],
    messages = [],
    messaging_product,
    metadata,
    statuses = [],
    user_preferences = [],
    ...rest
  } = read
  const names = namesOf(contacts)
  const userIds = userIdsOf(contacts)
  const shared = { history, messages, displayNumber: metadata.display_phone_number }
  const events = [
    // The messages of this field are those of the past, which are not new to anyone.
    ...(field === "history"
      ? historyEvents(shared, now)
      : messages.flatMap((message) => withRaw(message, [messageEvent(message, names, userIds)]))),
    ...message_echoes.flatMap((echo) => withRaw(echo, [echoEvent(echo, now)])),
    ...statuses.flatMap((status) => statusEvents(status, now)),
    ...user_preferences.map(preferenceEvent)
  ]
  // Such as the `errors` of a number, with or without messages.
  const more = Object.keys(rest).length > 0 ? [unknownEvent(field, rest)] : []
  const accounts = [...events, ...more]
  return { account: metadata.phone_number_id, events: accounts.length > 0 ? accounts : [unknownEvent(field, value)] }
}
