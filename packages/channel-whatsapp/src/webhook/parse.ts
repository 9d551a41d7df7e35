import {
  type AccountEvents,
  type Connection,
  type InboundEvent,
  type Instant,
  type ProviderRequest,
  WebhookUnreadable
} from "@parley/core"
import { Array as Arr, type Effect, Either, Option, Schema } from "effect"
import { Entry, Envelope, NumberValue } from "./Envelope.js"
import { messageEvent } from "./messageEvent.js"
import { namesOf } from "./names.js"
import { preferenceEvent } from "./preferenceEvent.js"
import { statusEvents } from "./statusEvents.js"
import { templateEvent } from "./templateEvent.js"
import { unknown } from "./unknown.js"

const readEnvelope = Schema.decodeUnknownEither(Envelope)
const readEntry = Schema.decodeUnknownOption(Entry)
const readNumberValue = Schema.decodeUnknownOption(NumberValue)

/** Everything that a request of Meta's tells: all entries, changes, messages and statuses, each number's in their order. */
export const parse = (
  { config }: Connection,
  { body }: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readEnvelope(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an object and a list of entries" })),
    Either.map(({ entry, object }) =>
      byAccount(
        object === "whatsapp_business_account"
          ? entry.flatMap((value) => entryEvents(value, config.business_account_id, now))
          : entry.map((value) => ownEvents([unknown(object, value)]))
      )
    )
  )

/** For the connection that was asked: Meta names no number. */
const ownEvents = (events: ReadonlyArray<InboundEvent>): AccountEvents => ({ account: null, events })

const entryEvents = (value: unknown, businessAccountId: unknown, now: Instant): ReadonlyArray<AccountEvents> => {
  const entry = Option.getOrNull(readEntry(value))
  if (entry === null) return [ownEvents([unknown("entry", value)])]
  return entry.changes.map((change) => {
    switch (change.field) {
      case "messages":
      case "user_preferences":
        return numberEvents(change, now)
      case "message_template_status_update": {
        // Templates belong to the account with the number: those of another one are not this workspace's.
        const isOurs = businessAccountId === undefined || businessAccountId === entry.id
        return ownEvents([isOurs ? templateEvent(change.value) : unknown(change.field, { entry: entry.id, change })])
      }
      default:
        return ownEvents([unknown(change.field, change.value)])
    }
  })
}

type Change = (typeof Entry.Type)["changes"][number]

const numberEvents = ({ field, value }: Change, now: Instant): AccountEvents => {
  const read = Option.getOrNull(readNumberValue(value))
  if (read === null) return ownEvents([unknown(field, value)])
  const {
    contacts = [],
    messages = [],
    messaging_product,
    metadata,
    statuses = [],
    user_preferences = [],
    ...rest
  } = read
  const names = namesOf(contacts)
  const events = [
    ...messages.map((message) => messageEvent(message, names)),
    ...statuses.flatMap((status) => statusEvents(status, now)),
    ...user_preferences.map(preferenceEvent)
  ]
  // Such as the `errors` of a number, beside its messages or alone.
  const more = Object.keys(rest).length > 0 ? [unknown(field, rest)] : []
  const told = [...events, ...more]
  return { account: metadata.phone_number_id, events: told.length > 0 ? told : [unknown(field, value)] }
}

/** The events of each account together, so that they are taken in their order. */
const byAccount = (told: ReadonlyArray<AccountEvents>): ReadonlyArray<AccountEvents> =>
  Object.values(Arr.groupBy(told, ({ account }) => account ?? "")).map((group) => ({
    account: group[0].account,
    events: group.flatMap(({ events }) => events)
  }))
