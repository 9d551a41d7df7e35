import type { Application } from "../../access/Application.js"
import type { Channel } from "../../channels/Channel.js"
import type { Connection } from "../../channels/Connection.js"
import type { Contact } from "../../contacts/Contact.js"
import type { Conversation } from "../../conversations/Conversation.js"

/** Where a contact is written to, in wire shape; `connectionId` null: by the rules of a send. */
export interface Recipient {
  readonly channel: Channel
  readonly to: string
  readonly connectionId: string | null
}

/** What the choice of a channel may look at. */
export interface Reachable {
  readonly application: Application
  /** Of the workspace. */
  readonly connections: ReadonlyArray<Connection>
  /** Of the contact, by last activity, newest first. */
  readonly conversations: ReadonlyArray<Conversation>
}

/**
 * Where a contact is reached on a channel, or on the one that they prefer: where they wrote last among those that the
 * application may use, else the first of their addresses with an active connection. Null where there is no address.
 */
export const recipientOf = (
  contact: Contact,
  channel: Channel | "preferred",
  { application, connections, conversations }: Reachable
): Recipient | null => {
  if (channel !== "preferred") return onChannel(contact, channel, conversations)
  const usable = connections.filter(
    ({ id, isTest, status }) =>
      status === "active" && application.connectionIds.includes(id) && isTest === (application.mode === "test")
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
  // A web chat visitor has no address but the conversation with them.
  const talk = conversations.find((conversation) => conversation.channel === channel)
  return talk === undefined ? null : inConversation(talk)
}

const inConversation = ({ channel, connectionId, handle, id }: Conversation): Recipient => ({
  channel,
  to: channel === "webchat" ? id : handle,
  connectionId
})

/** The channels on which a contact has an address, in the order of its identities; a phone number is one of WhatsApp too. */
const addressesOf = ({ email, identities, phone }: Contact): ReadonlyArray<Omit<Recipient, "connectionId">> => [
  ...identities.flatMap(({ channel, handle }) =>
    channel === "phone" ? [{ channel: "whatsapp" as const, to: handle }] : [{ channel, to: handle }]
  ),
  ...(email === null ? [] : [{ channel: "email" as const, to: email }]),
  ...(phone === null ? [] : [{ channel: "whatsapp" as const, to: phone }])
]
