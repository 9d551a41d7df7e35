import type { Contact } from "../contacts/Contact.js"
import { type Meeting, meetContact } from "../contacts/meetContact.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Conversation } from "./Conversation.js"
import { conversationEvent } from "./conversationEvent.js"
import { moveMessagesJob } from "./moveMessages.js"

/** What is known of a handle on a connection. */
export interface Acquaintance {
  /** Of the handle's address, else of the conversation. */
  readonly contact: Contact | undefined
  readonly conversation: Conversation | undefined
}

/** A message about to go through a connection, in or out. */
export interface Occasion extends Meeting {
  readonly direction: "inbound" | "outbound"
  /** An inbound one that a machine wrote: it neither opens the service window nor reopens anything. Default: false. */
  readonly automatic?: boolean
  readonly serviceWindowHours: number | null
}

/** The contact and the conversation as they will be, and what makes them so. */
export interface Opened {
  readonly contact: Contact
  readonly conversation: Conversation
  readonly parts: ReadonlyArray<Parts>
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Finds or makes the contact and the conversation of a handle (spec, What the service does): the first message to or from
 * an unknown handle creates both; a known contact that lacks the identity gets it (decisions.md §6); an inbound message
 * reopens what was resolved or closed (decisions.md §9).
 */
export const openConversation = (known: Acquaintance, occasion: Occasion, now: Instant, ids: Ids): Opened => {
  const met = meetContact(known.contact, occasion, now, ids)
  const talk =
    known.conversation === undefined
      ? newConversation(met.contact, occasion, now, ids)
      : oldConversation(known.conversation, met.contact, occasion, now, ids)
  // Whoever merges or erases a contact has seen all of its conversations: one that is new or new to it raises its version.
  const joined: Parts =
    known.contact === undefined || known.conversation?.contactId === known.contact.id
      ? {}
      : {
          expects: [expect("contacts", { id: known.contact.id })],
          sets: [set("contacts", { id: known.contact.id }, {})]
        }
  return {
    contact: met.contact,
    conversation: talk.conversation,
    parts: [met.parts, joined, talk.parts],
    events: [...met.events, ...talk.events]
  }
}

const isCustomersWord = ({ automatic = false, direction }: Occasion): boolean => direction === "inbound" && !automatic

interface Talk {
  readonly conversation: Conversation
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

const newConversation = (contact: Contact, occasion: Occasion, now: Instant, ids: Ids): Talk => {
  const { connection, handle, serviceWindowHours } = occasion
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
    lastActivityAt: now,
    lastInboundAt: isCustomersWord(occasion) ? now : 0,
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

/** It follows its handle: where that belongs to another contact now, so do the conversation and what was said in it. */
const oldConversation = (
  conversation: Conversation,
  contact: Contact,
  occasion: Occasion,
  now: Instant,
  ids: Ids
): Talk => {
  const { id, version } = conversation
  const inbound = isCustomersWord(occasion)
  const active: Conversation = {
    ...conversation,
    lastActivityAt: Math.max(conversation.lastActivityAt, now),
    lastInboundAt: inbound ? Math.max(conversation.lastInboundAt, now) : conversation.lastInboundAt
  }
  const greatest = inbound ? { lastActivityAt: now, lastInboundAt: now } : { lastActivityAt: now }
  const bumps = [{ table: "conversations" as const, id, greatest }]
  const reopens = inbound && (conversation.status === "resolved" || conversation.status === "closed")
  const follows = conversation.contactId !== contact.id
  if (!reopens && !follows) {
    const { botSessionId, contactId, status } = conversation
    // What is closed at this very moment has to be reopened, and a bot that starts has to hear of it.
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
      inserts: follows ? [moveMessagesJob(conversation, now, ids)] : []
    },
    events: reopens
      ? [conversationEvent("conversation.status_changed", changed, occasion.serviceWindowHours, more)]
      : []
  }
}
