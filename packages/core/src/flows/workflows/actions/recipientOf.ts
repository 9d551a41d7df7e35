import { type Application, mayUseConnection } from "../../../model/Application.js"
import { type Channel, type Channels, channelOf } from "../../../model/Channel.js"
import type { Connection } from "../../../model/Connection.js"
import type { Contact } from "../../../model/Contact.js"
import type { Conversation } from "../../../model/Conversation.js"
import { type ChannelAddress, channelAddresses } from "../../../resources/contacts/channelAddresses.js"
import { addressOf } from "../../../resources/contacts/Handle.js"

/** The recipient in wire shape. `connectionId` null: chosen by the rules of a send. */
export interface Recipient {
  readonly channel: Channel
  readonly to: string
  readonly connectionId: string | null
}

/** What the choice of a channel reads. */
export interface Reachable {
  readonly application: Application
  /** The channels of the host. */
  readonly channels: Channels
  /** The connection that the action names; null: any. */
  readonly connectionId: string | null
  /** All connections of the workspace. */
  readonly connections: ReadonlyArray<Connection>
  /** Conversations of the contact by last activity, newest first. */
  readonly conversations: ReadonlyArray<Conversation>
}

/**
 * The recipient on a channel. `preferred`: the channel of the contact's last inbound message among those that the
 * application may use, else the first address with an active connection. Null without an address.
 */
export const recipientOf = (
  contact: Contact,
  channel: Channel | "preferred",
  { application, channels, connectionId, connections, conversations }: Reachable
): Recipient | null => {
  const usable = connections.filter(
    (connection) => connection.status === "active" && mayUseConnection(application, connection)
  )
  const isUsable = ({ connectionId }: Conversation) => usable.some(({ id }) => id === connectionId)
  if (channel !== "preferred") {
    const address = addressOn(channel, contact, channels)
    if (address !== undefined) return atAddress(address)
    const onChannel = conversations.filter((conversation) => conversation.channel === channel)
    const named = onChannel.filter((one) => connectionId === null || one.connectionId === connectionId)
    // A conversation that may not be used gives the send's own refusal.
    const conversation = named.find(isUsable) ?? named[0] ?? onChannel[0]
    return conversation === undefined ? null : inConversation(conversation, channels)
  }
  const written = [...conversations]
    .filter((conversation) => conversation.lastInboundAt > 0 && isUsable(conversation))
    .sort((one, other) => other.lastInboundAt - one.lastInboundAt)[0]
  if (written !== undefined) return inConversation(written, channels)
  const first = channelAddresses(contact, channels).find(({ channel }) =>
    usable.some((connection) => connection.channel === channel)
  )
  const address = first && addressOn(first.channel, contact, channels)
  return address === undefined ? null : atAddress(address)
}

/**
 * The contact's first address on a channel. Of numbers, the channel's own identity counts before one of another kind:
 * the customer may have another number there by now.
 */
const addressOn = (channel: Channel, contact: Contact, channels: Channels): ChannelAddress | undefined => {
  const { identity } = channelOf(channels, channel)
  const first = channelAddresses(contact, channels).find((one) => one.channel === channel)
  if (first === undefined || identity === null) return first
  const { space } = addressOf(identity, first.handle)
  const own = contact.identities.find(
    (one) => one.channel === identity && addressOf(identity, one.handle).space === space
  )
  return { channel, handle: own?.handle ?? first.handle }
}

const atAddress = ({ channel, handle }: ChannelAddress): Recipient => ({ channel, to: handle, connectionId: null })

/** A customer whose handle is no identity, such as a web chat visitor, is addressed by conversation id. */
const inConversation = ({ channel, connectionId, handle, id }: Conversation, channels: Channels): Recipient => ({
  channel,
  to: channelOf(channels, channel).identity === null ? id : handle,
  connectionId
})
