import type { Connection } from "../channels/Connection.js"
import type { AccountEvents } from "../ports/ChannelProvider.js"
import { asUnknown } from "./asUnknown.js"
import { InboundEvent } from "./InboundEvent.js"

/** The connection behind each account that is known; null stands for the one that was asked. */
export type Owners = ReadonlyMap<string | null, Connection>

/**
 * What a request tells each connection, in its order. What is about an account that nobody here has is kept as unknown on
 * the connection that was asked.
 */
export const sharedOut = (
  asked: Connection,
  owners: Owners,
  told: ReadonlyArray<AccountEvents>
): ReadonlyMap<Connection, ReadonlyArray<InboundEvent>> => {
  const shares = new Map<Connection, Array<InboundEvent>>()
  for (const { account, events } of told) {
    const owner = owners.get(account)
    const share = shares.get(owner ?? asked) ?? []
    shares.set(owner ?? asked, share)
    for (const event of events) share.push(owner === undefined ? ofNobody(account, event) : event)
  }
  return shares
}

const ofNobody = (account: string | null, event: InboundEvent): InboundEvent =>
  event._tag === "Unknown"
    ? event
    : InboundEvent.Unknown(asUnknown(event, `it is about the account ${account}, which no connection here has`))
