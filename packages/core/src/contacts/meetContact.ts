import type { Connection } from "../channels/Connection.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import { addIdentity } from "./addIdentity.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import type { Contact, Identity } from "./Contact.js"
import { contactEvent } from "./contactEvent.js"
import { contactKeys } from "./contactKeys.js"
import { address } from "./Handle.js"
import { nameContact } from "./nameContact.js"

/** A handle that a message comes from or goes to. */
export interface Meeting {
  readonly connection: Connection
  /** Normalised. */
  readonly handle: string
  /** What the customer calls themselves on the channel. */
  readonly displayName: string | null
  /** What a stranger says of being written to, before they are known. Default: nothing, so that they may be. */
  readonly optedOut?: boolean
}

/** The contact as it will be, and what makes it so. */
export interface Met {
  readonly contact: Contact
  readonly parts: Parts
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Finds or makes the contact of a handle: an unknown one is created, with its `email` or `phone` from the handle; a known one
 * that lacks the identity gets it (decisions.md §6).
 */
export const meetContact = (known: Contact | undefined, meeting: Meeting, now: Instant, ids: Ids): Met =>
  known === undefined ? newContact(meeting, now, ids) : oldContact(known, meeting, now)

const identityOf = ({ connection, handle, displayName }: Meeting): Identity | null =>
  connection.channel === "webchat" ? null : { channel: connection.channel, handle, displayName }

const newContact = (meeting: Meeting, now: Instant, ids: Ids): Met => {
  const { connection, handle, displayName, optedOut = false } = meeting
  const identity = identityOf(meeting)
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
    optedOut,
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

const oldContact = (contact: Contact, meeting: Meeting, now: Instant): Met => {
  const { id } = contact
  const active = { ...contact, lastActivityAt: Math.max(contact.lastActivityAt, now) }
  const bumps = [{ table: "contacts" as const, id, greatest: { lastActivityAt: now } }]
  const identity = identityOf(meeting)
  const named = identity === null ? unchangedContact(active) : introduced(active, identity)
  // Nothing is written about one that was merged or erased meanwhile.
  const present: Parts = named.events.length === 0 ? { expects: [expect("contacts", { id })] } : named.parts
  return { contact: named.contact, parts: { bumps, ...present }, events: named.events }
}

/** A contact that lacks the identity gets it; what its customer calls themselves is told with their first own message. */
const introduced = (contact: Contact, identity: Identity): ChangedContact => {
  const known = contact.identities.find(
    ({ channel, handle }) => channel === identity.channel && handle === identity.handle
  )
  return known?.displayName === null && identity.displayName !== null
    ? nameContact(contact, identity, identity.displayName)
    : // One that it lacks: of a handle that was taken away from it, and of which a conversation was left.
      addIdentity(contact, identity)
}
