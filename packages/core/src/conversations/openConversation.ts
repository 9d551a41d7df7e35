import type { Connection } from "../channels/Connection.js"
import type { Address, Contact, Identity } from "../contacts/Contact.js"
import { encodeContact } from "../contacts/ContactResource.js"
import { contactKeys } from "../contacts/contactKeys.js"
import { address } from "../contacts/Handle.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Conversation } from "./Conversation.js"
import { encodeConversation } from "./ConversationResource.js"

/** What is known of a handle on a connection. */
export interface Acquaintance {
  readonly address: Address | undefined
  /** Of the conversation, else of the address. */
  readonly contact: Contact | undefined
  readonly conversation: Conversation | undefined
}

/** A message about to go through a connection, in or out. */
export interface Occasion {
  readonly connection: Connection
  /** Normalised. */
  readonly handle: string
  readonly direction: "inbound" | "outbound"
  /** What the customer calls themselves on the channel. */
  readonly displayName: string | null
  readonly serviceWindowHours: number | null
}

/** The contact and the conversation as they will be, and what makes them so. */
export interface Opened {
  readonly contact: Contact
  readonly conversation: Conversation
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Finds or makes the contact and the conversation of a handle (spec, What the service does): the first message to or from
 * an unknown handle creates both; a known contact that lacks the identity gets it (decisions.md §6); an inbound message
 * reopens what was resolved or closed (decisions.md §9).
 */
export const openConversation = (known: Acquaintance, occasion: Occasion, now: Instant, ids: Ids): Opened => {
  const met = known.contact === undefined ? newContact(occasion, now, ids) : oldContact(known.contact, occasion, now)
  const talk =
    known.conversation === undefined
      ? newConversation(met.contact, occasion, now, ids)
      : oldConversation(known.conversation, occasion, now)
  return {
    contact: met.contact,
    conversation: talk.conversation,
    parts: {
      claims: [...(met.parts.claims ?? []), ...(talk.parts.claims ?? [])],
      expects: [...(met.parts.expects ?? []), ...(talk.parts.expects ?? [])],
      inserts: met.parts.inserts ?? [],
      sets: [...(met.parts.sets ?? []), ...(talk.parts.sets ?? [])],
      bumps: [...(met.parts.bumps ?? []), ...(talk.parts.bumps ?? [])]
    },
    events: [...met.events, ...talk.events]
  }
}

interface Met {
  readonly contact: Contact
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

const identityOf = ({ connection, handle, displayName }: Occasion): Identity | null =>
  connection.channel === "webchat" ? null : { channel: connection.channel, handle, displayName }

const newContact = (occasion: Occasion, now: Instant, ids: Ids): Met => {
  const { connection, handle, displayName } = occasion
  const identity = identityOf(occasion)
  const withoutKeys: Omit<Contact, "nameKey" | "searchKey"> = {
    id: ids.next(now),
    workspaceId: connection.workspaceId,
    firstName: identity === null ? null : displayName,
    lastName: null,
    company: null,
    jobTitle: null,
    email: connection.channel === "email" ? handle : null,
    phone: connection.channel === "whatsapp" && handle.startsWith("+") ? handle : null,
    country: null,
    city: null,
    language: null,
    timezone: null,
    lifecycleStage: "lead",
    optedOut: false,
    marketingOptedOut: false,
    identities: identity === null ? [] : [identity],
    tags: [],
    customFields: {},
    visitorName: identity === null ? displayName : null,
    lastActivityAt: now,
    createdAt: now,
    version: 1
  }
  const contact = { ...withoutKeys, ...contactKeys(withoutKeys) }
  return {
    contact,
    parts: {
      // A web chat visitor is known by the conversation alone.
      claims:
        identity === null
          ? []
          : [row("addresses", address(connection.workspaceId, connection.channel, handle, contact.id))],
      inserts: [row("contacts", contact)]
    },
    events: [contactEvent("contact.created", contact)]
  }
}

const oldContact = (contact: Contact, occasion: Occasion, now: Instant): Met => {
  const active = { ...contact, lastActivityAt: Math.max(contact.lastActivityAt, now) }
  const bumps = [{ table: "contacts" as const, id: contact.id, greatest: { lastActivityAt: now } }]
  const identity = identityOf(occasion)
  if (
    identity === null ||
    contact.identities.some((has) => has.channel === identity.channel && has.handle === identity.handle)
  ) {
    return { contact: active, parts: { bumps }, events: [] }
  }
  const identities = [...contact.identities, identity]
  const named = { ...active, identities, version: contact.version + 1 }
  const updated = { ...named, ...contactKeys(named) }
  return {
    contact: updated,
    parts: {
      bumps,
      expects: [expect("contacts", { id: contact.id }, { version: contact.version })],
      sets: [
        set("contacts", { id: contact.id }, { identities, nameKey: updated.nameKey, searchKey: updated.searchKey })
      ]
    },
    events: [contactEvent("contact.updated", updated)]
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
    events: [conversationEvent("conversation.created", conversation, serviceWindowHours, {})]
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

const contactEvent = (type: "contact.created" | "contact.updated", contact: Contact): NewEvent => ({
  workspaceId: contact.workspaceId,
  type,
  applicationId: null,
  connectionId: null,
  subjectId: contact.id,
  data: { contact: encodeContact(contact) }
})

const conversationEvent = (
  type: "conversation.created" | "conversation.status_changed",
  conversation: Conversation,
  serviceWindowHours: number | null,
  more: { readonly [key: string]: unknown }
): NewEvent => ({
  workspaceId: conversation.workspaceId,
  type,
  applicationId: null,
  connectionId: conversation.connectionId,
  subjectId: conversation.id,
  data: { conversation: encodeConversation(conversation, serviceWindowHours), ...more }
})
