import { BusinessEvents, type Caller } from "@parley/core"
import { Effect } from "effect"
import type { EventsGroup } from "../contract/EventsGroup.js"
import type { GroupHandlers } from "../server/Call.js"

/** Implements the group `events` of the contract. */
export const eventsHandlers: Effect.Effect<
  GroupHandlers<typeof EventsGroup, Caller>,
  never,
  BusinessEvents
> = Effect.map(BusinessEvents, (events) => ({
  send: ({ caller, body, idempotency }) => events.record(caller, { decoded: body, idempotency })
}))
