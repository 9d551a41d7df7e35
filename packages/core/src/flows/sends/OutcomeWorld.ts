import { Effect } from "effect"
import { channelOf } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Address, Contact, IdentityChannel } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { IdempotencyRecord } from "../../model/IdempotencyRecord.js"
import type { Instant } from "../../model/Instant.js"
import { isExternal, type Message, type ProviderMessage } from "../../model/Message.js"
import type { Parts } from "../../ports/Changes.js"
import type { ChannelProvider, SendOutcome } from "../../ports/ChannelProvider.js"
import { lookup, lookupById, type ReadError, readById, type Storage } from "../../ports/Storage.js"
import { ownRecord, type StoredAnswer } from "../../resources/access/idempotency.js"
import { contactOfConversation } from "../../resources/contacts/contactOfConversation.js"
import { addressOf, handleKind } from "../../resources/contacts/Handle.js"
import { type Subscribers, subscriberLookups } from "../../resources/events/Outbox.js"

/** What the rules that record an outcome read. A field is undefined if the outcome does not need it. */
export interface OutcomeWorld {
  readonly message: Message
  /** When the provider returned. */
  readonly answeredAt: Instant
  /** The row of the provider message id, if the provider accepted and the id is known already. */
  readonly known: ProviderMessage | undefined
  /** The message of {@link known}, if an echo stored the accepted message as one that the business wrote elsewhere. */
  readonly copy: Message | undefined
  /** The parts that delete the files of {@link copy}. */
  readonly copyFiles: Parts
  /** The ids of the events about {@link copy}. */
  readonly copyEvents: ReadonlyArray<string>
  /** The conversation, if the provider sends watermark receipts. */
  readonly watermarks: Conversation | undefined
  /** The conversation, if its customer fetches messages from our feed. */
  readonly feed: Conversation | undefined
  /** The connection, if the outcome concerns it. None for a refusal, if the connection was changed since the call. */
  readonly connection: Connection | undefined
  /** The recipient, if the outcome concerns them. */
  readonly contact: Contact | undefined
  /** The kind of identity that handles of the channel are. */
  readonly identity: IdentityChannel | null
  /** The address row of the recipient's new handle. */
  readonly holder: Address | undefined
  /** The idempotency record of the send while a request of this process waits for the verdict. */
  readonly awaitingRecord: IdempotencyRecord | undefined
  readonly subscribers: Subscribers
}

/** The world of a send whose contact was erased during the provider call. */
export type ErasedSend = { readonly message: undefined } & Pick<OutcomeWorld, "awaitingRecord">

/** An outcome, with the send that it belongs to. */
export interface AnsweredSend {
  /** As read before the provider call. */
  readonly message: Pick<Message, "id" | "workspaceId" | "connectionId" | "contactId" | "conversationId">
  /** As read before the provider call. */
  readonly connection: Pick<Connection, "channel" | "version">
  readonly provider: Pick<ChannelProvider, "channels" | "watermarks" | "serve">
  readonly outcome: SendOutcome
  readonly answeredAt: Instant
  /** The stored response of the request that waits for the verdict, if any. */
  readonly awaited: StoredAnswer | undefined
}

/**
 * Loads the world of an outcome with one read, or with more if the contacts were merged during the provider call. It
 * has no message if its contact was erased meanwhile.
 */
export const loadOutcomeWorld = (
  storage: Pick<Storage, "read">,
  sent: AnsweredSend
): Effect.Effect<OutcomeWorld | ErasedSend, ReadError> =>
  Effect.gen(function* () {
    const { answeredAt, awaited, connection: used, outcome, provider } = sent
    const { connectionId, contactId, conversationId, id, workspaceId } = sent.message
    const definition = channelOf(provider.channels, used.channel)
    const moved = outcome._tag === "Moved" ? outcome.handle : null
    const accepted = outcome._tag === "Accepted" ? outcome.providerMessageId : null
    const ofConversation = accepted !== null && (provider.watermarks === true || provider.serve !== undefined)
    const found = yield* storage.read({
      ...subscriberLookups(workspaceId),
      messages: lookup("messages", { id }),
      records: awaited === undefined ? null : lookup("idempotency", awaited.key),
      known: accepted === null ? null : lookup("providerMessages", { connectionId, providerMessageId: accepted }),
      conversations: ofConversation || concernsContact(outcome) ? lookupById("conversations", conversationId) : null,
      connections: concernsConnection(outcome) ? lookupById("connections", connectionId) : null,
      contacts: concernsContact(outcome) ? lookupById("contacts", contactId) : null,
      holders: moved === null ? null : lookup("addresses", { workspaceId, ...addressOf(handleKind(definition), moved) })
    })
    const message = found.messages[0]
    const awaitingRecord = awaited && ownRecord(awaited, found.records)
    if (message === undefined) return { message, awaitingRecord }
    if (message.contactId !== contactId || message.conversationId !== conversationId) {
      return yield* loadOutcomeWorld(storage, { ...sent, message })
    }
    const conversation = ofConversation ? found.conversations[0] : undefined
    // A merge moves the conversation at once, and its messages later.
    const [present] = found.conversations
    const [read] = found.contacts
    const isPresent = read !== undefined && present?.contactId === contactId
    const contact = concernsContact(outcome) && !isPresent ? yield* contactOfConversation(storage, present) : read
    const [connection] = found.connections
    const refusesFormerSettings = outcome._tag === "Rejected" && connection?.version !== used.version
    const known = found.known[0]
    const holderId = known?.messageId ?? id
    const holder = holderId === id ? undefined : yield* readById(storage, "messages", holderId)
    const external = holder !== undefined && isExternal(holder) ? holder : undefined
    // A deletion elsewhere that came first holds the id of its message, which becomes that of the send.
    const isDeletion = external?.type === "deletion"
    return {
      message,
      answeredAt,
      known: known !== undefined && isDeletion ? { ...known, messageId: null } : known,
      copy: isDeletion ? undefined : external,
      copyFiles: {},
      copyEvents: [],
      watermarks: provider.watermarks === true ? conversation : undefined,
      feed: provider.serve === undefined ? undefined : conversation,
      connection: refusesFormerSettings ? undefined : connection,
      contact,
      identity: definition.identity,
      holder: found.holders[0],
      awaitingRecord,
      subscribers: { endpoints: found.endpoints, applications: found.applications }
    }
  })

const concernsConnection = (outcome: SendOutcome): boolean =>
  outcome._tag === "Throttled"
    ? outcome.scope !== "recipient"
    : outcome._tag === "Moved" || (outcome._tag === "Rejected" && outcome.scope === "connection")

const concernsContact = (outcome: SendOutcome): boolean =>
  outcome._tag === "Moved" || (outcome._tag === "Rejected" && outcome.optOut !== undefined)
