import { Effect } from "effect"
import type { Channels } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Message } from "../../model/Message.js"
import { lookup, lookupById, type ReadError, type Storage } from "../../ports/Storage.js"
import { contactAndConversationLookups } from "../../resources/conversations/loadContactAndConversation.js"
import { subscriberLookups } from "../../resources/events/Outbox.js"
import type { InboundMessage } from "./InboundMessage.js"
import type { InboundWorld, QuotedState } from "./receiveMessage.js"

/** How many messages are searched for a question, and for a message that is quoted by the start of its id. */
const maxSearched = 30

/**
 * Loads the world of a customer's message in two batched reads; in three, if it quotes a message by the
 * start of its id or may answer a question.
 */
export const loadInbound = (
  storage: Pick<Storage, "read" | "list">,
  channels: Channels,
  connection: Connection,
  {
    from,
    otherHandle = null,
    providerMessageId,
    quoted = null,
    substitute = false
  }: Pick<InboundMessage, "from" | "otherHandle" | "providerMessageId" | "quoted" | "substitute">,
  /** Whether the message may answer a question with options. */
  mayAnswer = false
): Effect.Effect<Omit<InboundWorld, keyof QuotedState>, ReadError> => {
  const { id: connectionId, workspaceId } = connection
  const ofOther = otherHandle === null ? null : contactAndConversationLookups(channels, connection, otherHandle)
  const found = storage.read({
    ...subscriberLookups(workspaceId),
    ...contactAndConversationLookups(channels, connection, from),
    otherAddresses: ofOther?.addresses ?? null,
    otherConversations: ofOther?.conversations ?? null,
    known: lookup("providerMessages", { connectionId, providerMessageId }),
    knownQuoted:
      quoted === null
        ? null
        : lookup("providerMessages", { connectionId, providerMessageId: quoted.providerMessageId }),
    bots: lookup("bots", { workspaceId, status: "active" })
  })
  return Effect.flatMap(found, (found) => {
    const { applications, bots, conversations, endpoints } = found
    const known = found.known[0]
    const otherHolder = found.otherAddresses[0]
    const own = conversations[0]
    const contactId = found.addresses[0]?.contactId ?? otherHolder?.contactId ?? own?.contactId
    const conversation = own ?? found.otherConversations.find((other) => other.contactId === contactId)
    const knownQuoted = found.knownQuoted[0]
    const world = { conversation, known, knownQuoted, bots, otherHolder, subscribers: { endpoints, applications } }
    const quotedId = knownQuoted?.messageId
    // An unknown contact needs no second read.
    if (contactId === undefined && known?.messageId == null) {
      return Effect.succeed({ ...world, contact: undefined, message: undefined, quoted: undefined, recent: [] })
    }
    const rest = storage.read({
      contacts: lookupById("contacts", contactId),
      conversations:
        substitute && conversation === undefined && contactId !== undefined
          ? lookup("conversations", { contactId })
          : null,
      messages: lookupById("messages", known?.messageId),
      quoted: lookupById("messages", quotedId ?? undefined)
    })
    const conversationId = conversation?.id
    const searches = mayAnswer || (quoted?.isPrefix === true && quotedId == null)
    const searched =
      searches && known?.messageId == null && conversationId !== undefined
        ? storage.list({ from: "messages", where: { conversationId }, after: null, limit: maxSearched })
        : null
    const loaded = (found: Effect.Effect.Success<typeof rest>, recent: ReadonlyArray<Message>) => {
      const { contacts, messages, quoted: exact, ...ofContact } = found
      const joined = conversation ?? latestOn(connectionId, ofContact.conversations)
      return {
        ...world,
        conversation: joined,
        contact: contacts[0],
        message: messages[0],
        quoted:
          exact.find(({ conversationId }) => conversationId === joined?.id) ??
          recent.find(
            (message) =>
              quoted?.isPrefix === true && message.providerMessageId?.startsWith(`${quoted.providerMessageId} `)
          ),
        recent: mayAnswer ? recent : []
      }
    }
    // Two reads at once take a fiber each, which most messages do not need.
    return searched === null
      ? Effect.map(rest, (found) => loaded(found, []))
      : Effect.zipWith(rest, searched, loaded, { concurrent: true })
  })
}

const latestOn = (connectionId: string, conversations: ReadonlyArray<Conversation>): Conversation | undefined =>
  conversations
    .filter((conversation) => conversation.connectionId === connectionId)
    .reduce<Conversation | undefined>(
      (latest, one) => (latest === undefined || one.lastActivityAt > latest.lastActivityAt ? one : latest),
      undefined
    )
