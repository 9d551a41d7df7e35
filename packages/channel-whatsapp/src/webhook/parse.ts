import type { AccountEvents, Connection, InboundEvent, Instant, ProviderRequest, WebhookUnreadable } from "@parley/core"
import { parseEntries, unknownEntry } from "@parley/meta-graph"
import { fieldsOf, idOf, listOf, textOf, unknownEvent, withRaw } from "@parley/provider-kit"
import type { Effect } from "effect"
import { accountNotice } from "./accountNotice.js"
import { echoEvent } from "./echoEvent.js"
import { historyEvents } from "./historyEvents.js"
import { instantOf } from "./instantOf.js"
import { messageEvent } from "./messageEvent.js"
import { namesOf, userIdsOf } from "./names.js"
import { preferenceEvent } from "./preferenceEvent.js"
import { statusEvents } from "./statusEvents.js"
import { templateEvent } from "./templateEvent.js"

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

/** An entry is read field by field, so that one odd field does not lose the messages beside it. */
const entryEvents = (value: unknown, businessAccountId: unknown, now: Instant): ReadonlyArray<AccountEvents> => {
  const { changes, id, time } = fieldsOf(value)
  const account = idOf(id)
  if (!Array.isArray(changes)) return [unknownEntry("entry", value)]
  return changes.map((value: unknown) => {
    const change = fieldsOf(value)
    const field = textOf(change.field)
    switch (field) {
      case null:
        return unknownEntry("change", value)
      case "messages":
      case "smb_message_echoes":
      case "history":
      case "user_preferences":
        return numberEvents(field, change.value, now)
      default: {
        const event = account === null ? null : businessEvent(field, change.value, account, secondsOf(time), now)
        if (event === null) return unknownEntry(field, change.value)
        // Templates and news belong to the business account.
        return { account, elseOwn: businessAccountId === undefined, events: [event] }
      }
    }
  })
}

/** The event of a change of this business account; null for an unknown field. */
const businessEvent = (
  field: string,
  value: unknown,
  account: string,
  at: Instant | null,
  now: Instant
): InboundEvent | null => {
  // Meta's examples have quality updates under the field of status updates.
  const isQuality = fieldsOf(value).new_quality_score !== undefined
  if (field === "message_template_status_update" && !isQuality) return templateEvent(value, at)
  return accountNotice(isQuality ? "message_template_quality_update" : field, value, account, at ?? now)
}

const secondsOf = (time: unknown): Instant | null => instantOf(typeof time === "number" ? time : undefined)

const lists: ReadonlySet<string> = new Set([
  "contacts",
  "messages",
  "message_echoes",
  "statuses",
  "user_preferences",
  "history"
])

/** Events of a change of a number. What is in no list that is known is an unknown event beside them. */
const numberEvents = (field: string, value: unknown, now: Instant): AccountEvents => {
  const { messaging_product: _, metadata, ...parts } = fieldsOf(value)
  const { display_phone_number, phone_number_id } = fieldsOf(metadata)
  const account = idOf(phone_number_id)
  if (account === null) return unknownEntry(field, value)
  const contacts = listOf(parts.contacts)
  const messages = listOf(parts.messages)
  const names = namesOf(contacts)
  const userIds = userIdsOf(contacts)
  const shared = { history: listOf(parts.history), messages, displayNumber: display_phone_number }
  const events = [
    // The messages of this field are those of the past, which are not new to anyone.
    ...(field === "history"
      ? historyEvents(shared, now)
      : messages.flatMap((message) => withRaw(message, [messageEvent(message, names, userIds)]))),
    ...listOf(parts.message_echoes).flatMap((echo) => withRaw(echo, [echoEvent(echo, now)])),
    ...listOf(parts.statuses).flatMap((status) => statusEvents(status, now)),
    ...listOf(parts.user_preferences).map(preferenceEvent)
  ]
  // Such as the `errors` of a number, with or without messages.
  const rest = Object.entries(parts).filter(
    ([name, part]) => !lists.has(name) || !(part === null || Array.isArray(part))
  )
  const more = rest.length > 0 ? [unknownEvent(field, Object.fromEntries(rest))] : []
  const all = [...events, ...more]
  return { account, events: all.length > 0 ? all : [unknownEvent(field, value)] }
}
