import type { Connection } from "../../model/Connection.js"
import { InboundEvent } from "../../model/InboundEvent.js"
import type { AccountEvents } from "../../ports/ChannelProvider.js"
import { toUnknownEvent } from "./toUnknownEvent.js"

/** The connection of each known account; null: the connection that was called. */
export type Owners = ReadonlyMap<string | null, Connection>

/**
 * Groups the events of a request by connection, in order. Events of an unknown account become unknown events of the
 * called connection.
 */
export const groupByConnection = (
  requested: Connection,
  owners: Owners,
  accountEvents: ReadonlyArray<AccountEvents>
): ReadonlyMap<Connection, ReadonlyArray<InboundEvent>> => {
  const groups = new Map<Connection, Array<InboundEvent>>()
  for (const { account, elseOwn = false, events } of accountEvents) {
    const owner = owners.get(account) ?? (elseOwn ? requested : undefined)
    const group = groups.get(owner ?? requested) ?? []
    groups.set(owner ?? requested, group)
    for (const event of events) group.push(owner === undefined ? unknownAccount(account, event) : event)
  }
  return groups
}

const unknownAccount = (account: string | null, event: InboundEvent): InboundEvent =>
  event?._tag === "Unknown"
    ? event
    : InboundEvent.Unknown(toUnknownEvent(event, `it is about the account ${account}, which no connection here has`))
