import type { AccountEvents, Connection, InboundEvent, Instant, ProviderRequest, WebhookUnreadable } from "@parley/core"
import { parseEntries, unknownEntry } from "@parley/meta-graph"
import { fieldsOf, idOf, listOf, unknownEvent, withRaw } from "@parley/provider-kit"
import type { Effect } from "effect"
import { commentEvents } from "./commentEvents.js"
import { messagingEvents } from "./messagingEvents.js"
import { pageCommentEvents } from "./pageCommentEvents.js"

/** All events of a request of Meta's. Those of each account are in their order. */
export const parse = (
  _connection: Connection,
  request: ProviderRequest,
  now: Instant
): Effect.Effect<ReadonlyArray<AccountEvents>, WebhookUnreadable> =>
  parseEntries(request, (object, entry) => [
    isOurs(object) ? entryEvents(object, entry, now) : unknownEntry(object, entry)
  ])

/** Ids are unique among all objects of Meta: an Instagram account never has the id of a Page. */
const isOurs = (object: string): boolean => object === "page" || object === "instagram"

/** An entry is read field by field, so that one odd field does not lose the messages beside it. */
const entryEvents = (object: string, value: unknown, now: Instant): AccountEvents => {
  const { changes, id, messaging, standby, time } = fieldsOf(value)
  const account = idOf(id)
  if (account === null) return unknownEntry("entry", value)
  const events: ReadonlyArray<InboundEvent> = [
    ...listOf(messaging).flatMap((one) => withRaw(one, messagingEvents(one, account, now))),
    // Messages to the Page while another app has control of the conversation.
    ...listOf(standby).map((one) => unknownEvent("standby", one)),
    ...listOf(changes).flatMap((one) =>
      withRaw(one, object === "instagram" ? commentEvents(one, account) : pageCommentEvents(one, account, time))
    )
  ]
  return { account, events: events.length > 0 ? events : [unknownEvent("entry", value)] }
}
