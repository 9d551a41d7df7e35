import type { Connection } from "../channels/Connection.js"
import type { NewEvent } from "../events/Outbox.js"
import type { Instant } from "../Instant.js"
import { expect, type Parts, row, set } from "../ports/Changes.js"
import type { Ids } from "../ports/Ids.js"
import type { Contact, Identity } from "./Contact.js"
import { contactEvent } from "./contactEvent.js"
import { addressesOf, isSameAddress } from "./contactHandles.js"
import { contactKeys } from "./contactKeys.js"
import { address } from "./Handle.js"

/** A handle that a message comes from or goes to. */
export interface Meeting {
  readonly connection: Connection
  /** Normalised. */
  readonly handle: string
  /** What the customer calls themselves on the channel. */
  readonly displayName: string | null
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
  const { connection, handle, displayName } = meeting
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

const oldContact = (contact: Contact, meeting: Meeting, now: Instant): Met => {
  const { id } = contact
  const active = { ...contact, lastActivityAt: Math.max(contact.lastActivityAt, now) }
  const bumps = [{ table: "contacts" as const, id, greatest: { lastActivityAt: now } }]
  const identity = identityOf(meeting)
  if (
    identity === null ||
    contact.identities.some((has) => has.channel === identity.channel && has.handle === identity.handle)
  ) {
    // Nothing is written about one that was merged or erased meanwhile.
    return { contact: active, parts: { bumps, expects: [expect("contacts", { id })] }, events: [] }
  }
  const identities = [...contact.identities, identity]
  const named = { ...active, identities, version: contact.version + 1 }
  const updated = { ...named, ...contactKeys(named) }
  const had = addressesOf(contact)
  return {
    contact: updated,
    parts: {
      bumps,
      // Of a handle that was taken away from it, and of which a conversation was left.
      claims: addressesOf(updated)
        .filter((claim) => !had.some((one) => isSameAddress(one, claim)))
        .map((claim) => row("addresses", claim)),
      expects: [expect("contacts", { id }, { version: contact.version })],
      sets: [set("contacts", { id }, { identities, nameKey: updated.nameKey, searchKey: updated.searchKey })]
    },
    events: [contactEvent("contact.updated", updated)]
  }
}
