import type { Contact } from "../../model/Contact.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, row, set } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { type ContactLookup, findOrCreateContact } from "../contacts/findOrCreateContact.js"
import { reassignConversationJob } from "../contacts/reassignConversation.js"
import type { NewEvent } from "../events/Outbox.js"
import { conversationEvent } from "./conversationEvent.js"

/** The existing contact and conversation of a handle on a connection. */
export interface ContactAndConversation {
  /** Contact of the handle's address, else of the conversation. */
  readonly contact: Contact | undefined
  readonly conversation: Conversation | undefined
}

/** Context of a message on a connection, inbound or outbound. */
export interface MessageContext extends ContactLookup {
  readonly direction: "inbound" | "outbound"
  /**
   * True for an inbound message from a machine: it does not open the service window and reopens nothing. Default:
   * false.
   */
  readonly automatic?: boolean
  /** Of a message of the past: when the customer last wrote, in ms, for the service window; 0: never. Default: now. */
  readonly pastInboundAt?: Instant
  readonly serviceWindowHours: number | null
}

/** The contact and the conversation after the commit, and the parts of that commit. */
export interface OpenedConversation {
  readonly contact: Contact
  readonly conversation: Conversation
  readonly parts: ReadonlyArray<Parts>
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Finds or creates the contact and the conversation of a handle
 * (docs/reference/conversations.md#one-conversation-per-connection-and-handle). The first message to or from an unknown
 * handle creates both. A known contact that lacks the identity gets it
 * (docs/reference/contacts.md#contacts-made-by-messages). An inbound message reopens a resolved or closed conversation
 * (docs/reference/conversations.md#reopening-by-an-inbound-message).
 */
export const openConversation = (
  known: ContactAndConversation,
  context: MessageContext,
  now: Instant,
  ids: Ids
): OpenedConversation => {
  const contactResult = findOrCreateContact(known.contact, context, now, ids)
  const conversationResult =
    known.conversation === undefined
      ? newConversation(contactResult.contact, context, now, ids)
      : existingConversation(known.conversation, contactResult.contact, context, now, ids)
  // Bump the contact's version if it gets a conversation, so that a concurrent merge or erasure conflicts: both work on
  // the conversations that they loaded.
  const joined: Parts =
    known.contact === undefined || known.conversation?.contactId === known.contact.id
      ? {}
      : {
          expects: [expect("contacts", { id: known.contact.id })],
          sets: [set("contacts", { id: known.contact.id }, {})]
        }
  return {
    contact: contactResult.contact,
    conversation: conversationResult.conversation,
    parts: [...contactResult.parts, joined, conversationResult.parts],
    events: [...contactResult.events, ...conversationResult.events]
  }
}

/** Whether the customer writes now. */
const isFromCustomer = ({ automatic = false, direction, pastInboundAt }: MessageContext): boolean =>
  direction === "inbound" && !automatic && pastInboundAt === undefined

/** When the customer last wrote, as far as the context says, in ms; 0: not at all. */
const inboundAtOf = (context: MessageContext, now: Instant): Instant =>
  context.pastInboundAt ?? (isFromCustomer(context) ? (context.writtenAt ?? now) : 0)

interface ConversationResult {
  readonly conversation: Conversation
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

const newConversation = (contact: Contact, context: MessageContext, now: Instant, ids: Ids): ConversationResult => {
  const { connection, handle, serviceWindowHours } = context
  const conversation: Conversation = {
    id: ids.next(now),
    workspaceId: connection.workspaceId,
    connectionId: connection.id,
    channel: connection.channel,
    handle,
    contactId: contact.id,
    status: "open",
    assignedUserId: null,
    assignedTeamId: null,
    lastActivityAt: context.activeAt ?? now,
    lastInboundAt: inboundAtOf(context, now),
    deliveredUpTo: 0,
    readUpTo: 0,
    fed: 0,
    botSessionId: null,
    createdAt: now,
    version: 1
  }
  return {
    conversation,
    parts: { claims: [row("conversations", conversation)] },
    events: [conversationEvent("conversation.created", conversation, serviceWindowHours)]
  }
}

/**
 * Updates an existing conversation. If its handle belongs to another contact now, the conversation moves to that
 * contact, and a job moves its messages, bot sessions and tasks.
 */
const existingConversation = (
  conversation: Conversation,
  contact: Contact,
  context: MessageContext,
  now: Instant,
  ids: Ids
): ConversationResult => {
  const { id, version } = conversation
  const inbound = isFromCustomer(context)
  const [lastActivityAt, lastInboundAt] = [context.activeAt ?? now, inboundAtOf(context, now)]
  const active: Conversation = {
    ...conversation,
    lastActivityAt: Math.max(conversation.lastActivityAt, lastActivityAt),
    lastInboundAt: Math.max(conversation.lastInboundAt, lastInboundAt)
  }
  const greatest = lastInboundAt > 0 ? { lastActivityAt, lastInboundAt } : { lastActivityAt }
  const bumps = [{ table: "conversations" as const, id, greatest }]
  const reopens = inbound && (conversation.status === "resolved" || conversation.status === "closed")
  const follows = conversation.contactId !== contact.id
  if (!reopens && !follows) {
    const { botSessionId, contactId, status } = conversation
    // Expect these values, so that an inbound message conflicts with a concurrent close, which it must reopen, and with
    // the start of a bot, which must receive it.
    const present = expect("conversations", { id }, inbound ? { botSessionId, contactId, status } : { contactId })
    return { conversation: active, parts: { bumps, expects: [present] }, events: [] }
  }
  const values = {
    ...(reopens ? { status: "open" as const } : {}),
    ...(follows ? { contactId: contact.id } : {})
  }
  const changed: Conversation = { ...active, ...values, version: version + 1 }
  const more = { previous_status: conversation.status }
  return {
    conversation: changed,
    parts: {
      bumps,
      expects: [expect("conversations", { id }, { version })],
      sets: [set("conversations", { id }, values)],
      inserts: follows ? [reassignConversationJob(conversation, now, ids)] : []
    },
    events: reopens ? [conversationEvent("conversation.status_changed", changed, context.serviceWindowHours, more)] : []
  }
}
