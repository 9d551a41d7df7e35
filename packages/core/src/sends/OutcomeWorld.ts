import { Effect } from "effect"
import type { IdempotencyRecord } from "../access/IdempotencyRecord.js"
import type { Channel } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import type { Address, Contact } from "../contacts/Contact.js"
import { addressOf } from "../contacts/Handle.js"
import type { Conversation } from "../conversations/Conversation.js"
import { type Subscribers, subscriberLookups } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import type { Message, ProviderMessage } from "../messages/Message.js"
import type { Key } from "../ports/Changes.js"
import type { ChannelProvider, SendOutcome } from "../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, type Storage } from "../ports/Storage.js"

/** All that recording a send's outcome may look at; undefined where the outcome does not ask for it. */
export interface OutcomeWorld {
  readonly message: Message
  /** When the provider answered. */
  readonly answeredAt: Instant
  /** Of the provider message id, where the provider accepted. */
  readonly known: ProviderMessage | undefined
  /** The conversation, where receipts of its provider may name a time. */
  readonly marks: Conversation | undefined
  /** The conversation, where its customer fetches from us what was sent. */
  readonly feed: Conversation | undefined
  /** Where the outcome says something of it. */
  readonly connection: Connection | undefined
  /** The recipient, where the outcome says something of them. */
  readonly contact: Contact | undefined
  /** Who has the handle that the recipient has now. */
  readonly holder: Address | undefined
  /** Of the send's key, while its sender waits for the verdict in this process. */
  readonly awaiting: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** An outcome of a send, and where it comes from. */
export interface Answered {
  readonly messageId: string
  readonly workspaceId: string
  readonly channel: Channel
  readonly provider: Pick<ChannelProvider, "watermarks" | "serve">
  readonly outcome: SendOutcome
  readonly answeredAt: Instant
  /** The key whose sender waits, if one does. */
  readonly awaited: Key<"idempotency"> | undefined
}

/** Reads the world of an outcome; undefined where the contact was erased while the provider had the message. */
export const loadOutcomeWorld = (
  storage: Pick<Storage, "read">,
  { answeredAt, awaited, channel, messageId, outcome, provider, workspaceId }: Answered
): Effect.Effect<OutcomeWorld | undefined, ReadError> =>
  Effect.gen(function* () {
    const { applications, awaiting, endpoints, messages } = yield* storage.read({
      ...subscriberLookups(workspaceId),
      messages: lookup("messages", { id: messageId }),
      awaiting: awaited === undefined ? null : lookup("idempotency", awaited)
    })
    const message = messages[0]
    if (message === undefined) return undefined
    const { connectionId, contactId, conversationId } = message
    const moved = outcome._tag === "Moved" ? outcome.handle : null
    const accepted = outcome._tag === "Accepted" ? outcome.providerMessageId : null
    const ofConversation = accepted !== null && (provider.watermarks === true || provider.serve !== undefined)
    const found = yield* storage.read({
      known: accepted === null ? null : lookup("providerMessages", { connectionId, providerMessageId: accepted }),
      conversations: ofConversation ? lookupById("conversations", conversationId) : null,
      connections: concernsConnection(outcome) ? lookupById("connections", connectionId) : null,
      contacts: concernsContact(outcome) ? lookupById("contacts", contactId) : null,
      holders: moved === null ? null : lookup("addresses", { workspaceId, ...addressOf(channel, moved) })
    })
    return {
      message,
      answeredAt,
      known: found.known[0],
      marks: provider.watermarks === true ? found.conversations[0] : undefined,
      feed: provider.serve === undefined ? undefined : found.conversations[0],
      connection: found.connections[0],
      contact: found.contacts[0],
      holder: found.holders[0],
      awaiting: awaiting[0],
      subscribers: { endpoints, applications }
    }
  })

const concernsConnection = (outcome: SendOutcome): boolean =>
  outcome._tag === "Throttled"
    ? outcome.scope !== "recipient"
    : outcome._tag === "Moved" || (outcome._tag === "Rejected" && outcome.scope === "connection")

const concernsContact = (outcome: SendOutcome): boolean =>
  outcome._tag === "Moved" || (outcome._tag === "Rejected" && outcome.optOut !== undefined)
