import {
  type AccountEvents,
  type Connection,
  type InboundEvent,
  type Instant,
  type ProviderRequest,
  WebhookUnreadable
} from "@parley/core"
import { Array as Arr, type Effect, Either, Option, Schema } from "effect"
import { Entry, Envelope } from "./Envelope.js"
import { messagingEvents } from "./messagingEvents.js"
import { unknown } from "./unknown.js"

const readEnvelope = Schema.decodeUnknownEither(Envelope)
const readEntry = Schema.decodeUnknownOption(Entry)

/** Everything that a request of Meta's tells: all entries and all that each has, each account's in their order. */
export const parse = (
  _connection: Connection,
  { body }: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  readEnvelope(new TextDecoder().decode(body)).pipe(
    Either.mapLeft(() => new WebhookUnreadable({ reason: "must be JSON with an object and a list of entries" })),
    Either.map(({ entry, object }) =>
      byAccount(entry.map((value) => (isOurs(object) ? entryEvents(value, now) : foreign(object, value))))
    )
  )

/** Ids are unique among all of Meta's objects: that of an Instagram account is never one of a Page. */
const isOurs = (object: string): boolean => object === "page" || object === "instagram"

/** For the connection that was asked: Meta names no account that we know how to read. */
const foreign = (kind: string, value: unknown): AccountEvents => ({ account: null, events: [unknown(kind, value)] })

const entryEvents = (value: unknown, now: Instant): AccountEvents => {
  const entry = Option.getOrNull(readEntry(value))
  if (entry === null) return foreign("entry", value)
  const { changes = [], id, messaging = [], standby = [] } = entry
  const told: ReadonlyArray<InboundEvent> = [
    ...messaging.flatMap((one) => messagingEvents(one, now)),
    ...standby.map((one) => unknown("standby", one)),
    ...changes.map((one) => unknown("change", one))
  ]
  return { account: id, events: told.length > 0 ? told : [unknown("entry", value)] }
}

/** The events of each account together, so that they are taken in their order. */
const byAccount = (told: ReadonlyArray<AccountEvents>): ReadonlyArray<AccountEvents> =>
  Object.values(Arr.groupBy(told, ({ account }) => account ?? "")).map((group) => ({
    account: group[0].account,
    events: group.flatMap(({ events }) => events)
  }))
