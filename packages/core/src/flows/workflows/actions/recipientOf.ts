import { type Application, mayUseConnection } from "../../../model/Application.js"
import type { Channel } from "../../../model/Channel.js"
import type { Connection } from "../../../model/Connection.js"
import type { Contact } from "../../../model/Contact.js"
import type { Conversation } from "../../../model/Conversation.js"

/** The recipient in wire shape. `connectionId` null: chosen by the rules of a send. */
export interface Recipient {
  readonly channel: Channel
  readonly to: string
  readonly connectionId: string | null
}

/** What the choice of a channel reads. */
export interface Reachable {
  readonly application: Application
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
  { application, connections, conversations }: Reachable
): Recipient | null => {
  if (channel !== "preferred") return onChannel(contact, channel, conversations)
  const usable = connections.filter(
    (connection) => connection.status === "active" && mayUseConnection(application, connection)
  )
  const written = [...conversations]
    .filter(({ connectionId, lastInboundAt }) => lastInboundAt > 0 && usable.some(({ id }) => id === connectionId))
    .sort((one, other) => other.lastInboundAt - one.lastInboundAt)[0]
  if (written !== undefined) return inConversation(written)
  return (
    addressesOf(contact)
      .filter(({ channel }) => usable.some((connection) => connection.channel === channel))
      .map((address) => ({ ...address, connectionId: null }))[0] ?? null
  )
}

const onChannel = (
  contact: Contact,
  channel: Channel,
  conversations: ReadonlyArray<Conversation>
): Recipient | null => {
  const address = addressesOf(contact).find((one) => one.channel === channel)
  if (address !== undefined) return { ...address, connectionId: null }
  // A web chat visitor is addressed by conversation id.
  const lastConversation = conversations.find((conversation) => conversation.channel === channel)
  return lastConversation === undefined ? null : inConversation(lastConversation)
}

const inConversation = ({ channel, connectionId, handle, id }: Conversation): Recipient => ({
  channel,
  to: channel === "webchat" ? id : handle,
  connectionId
})

/** Addresses of a contact in the order of its identities. A phone number is a WhatsApp address too. */
const addressesOf = ({ email, identities, phone }: Contact): ReadonlyArray<Omit<Recipient, "connectionId">> => [
  ...identities.flatMap(({ channel, handle }) =>
    channel === "phone" ? [{ channel: "whatsapp" as const, to: handle }] : [{ channel, to: handle }]
  ),
  ...(email === null ? [] : [{ channel: "email" as const, to: email }]),
  ...(phone === null ? [] : [{ channel: "whatsapp" as const, to: phone }])
]
