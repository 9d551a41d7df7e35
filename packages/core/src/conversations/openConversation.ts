import type { Contact } from "../contacts/Contact.js"
import { type Meeting, meetContact } from "../contacts/meetContact.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Conversation } from "./Conversation.js"
import { conversationEvent } from "./conversationEvent.js"

/** What is known of a handle on a connection. */
export interface Acquaintance {
  /** Of the handle's address, else of the conversation. */
  readonly contact: Contact | undefined
  readonly conversation: Conversation | undefined
}

/** A message about to go through a connection, in or out. */
export interface Occasion extends Meeting {
  readonly direction: "inbound" | "outbound"
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
      : oldConversation(known.conversation, occasion, now)
  return {
    contact: met.contact,
    conversation: talk.conversation,
    parts: [met.parts, talk.parts],
    events: [...met.events, ...talk.events]
  }
}

interface Talk {
  readonly conversation: Conversation
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

const newConversation = (contact: Contact, occasion: Occasion, now: Instant, ids: Ids): Talk => {
  const { connection, handle, direction, serviceWindowHours } = occasion
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
    lastInboundAt: direction === "inbound" ? now : 0,
    createdAt: now,
    version: 1
  }
  return {
    conversation,
    parts: { claims: [row("conversations", conversation)] },
    events: [conversationEvent("conversation.created", conversation, serviceWindowHours)]
  }
}

const oldConversation = (conversation: Conversation, occasion: Occasion, now: Instant): Talk => {
  const inbound = occasion.direction === "inbound"
  const active: Conversation = {
    ...conversation,
    lastActivityAt: Math.max(conversation.lastActivityAt, now),
    lastInboundAt: inbound ? Math.max(conversation.lastInboundAt, now) : conversation.lastInboundAt
  }
  const greatest = inbound ? { lastActivityAt: now, lastInboundAt: now } : { lastActivityAt: now }
  const bumps = [{ table: "conversations" as const, id: conversation.id, greatest }]
  if (!inbound || conversation.status === "open" || conversation.status === "pending") {
    return { conversation: active, parts: { bumps }, events: [] }
  }
  const reopened: Conversation = { ...active, status: "open", version: conversation.version + 1 }
  const more = { previous_status: conversation.status }
  return {
    conversation: reopened,
    parts: {
      bumps,
      expects: [expect("conversations", { id: conversation.id }, { version: conversation.version })],
      sets: [set("conversations", { id: conversation.id }, { status: "open" })]
    },
    events: [conversationEvent("conversation.status_changed", reopened, occasion.serviceWindowHours, more)]
  }
}
