import type { AccountEvents, Connection, InboundEvent, Instant, ProviderRequest, WebhookUnreadable } from "@parley/core"
import { parseEntries, unknownEntry } from "@parley/meta-graph"
import { unknownEvent } from "@parley/provider-kit"
import { type Effect, Option, Schema } from "effect"
import { Entry } from "./Entry.js"
import { messagingEvents } from "./messagingEvents.js"

const readEntry = Schema.decodeUnknownOption(Entry)

/** All events of a request of Meta's. Those of each account are in their order. */
export const parse = (
  _connection: Connection,
  request: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  parseEntries(request, (object, entry) => [isOurs(object) ? entryEvents(entry, now) : unknownEntry(object, entry)])

/** Ids are unique among all objects of Meta: an Instagram account never has the id of a Page. */
const isOurs = (object: string): boolean => object === "page" || object === "instagram"

const entryEvents = (value: unknown, now: Instant): AccountEvents => {
  const entry = Option.getOrNull(readEntry(value))
  if (entry === null) return unknownEntry("entry", value)
  const { changes = [], id, messaging = [], standby = [] } = entry
  const events: ReadonlyArray<InboundEvent> = [
    ...messaging.flatMap((one) => messagingEvents(one, now)),
    ...standby.map((one) => unknownEvent("standby", one)),
    ...changes.map((one) => unknownEvent("change", one))
  ]
  return { account: id, events: events.length > 0 ? events : [unknownEvent("entry", value)] }
}
