import type { Connection } from "../../model/Connection.js"
import type { Contact, Identity, IdentityChannel } from "../../model/Contact.js"
import type { Instant } from "../../model/Instant.js"
import { expect, type Parts, row } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import type { NewEvent } from "../events/Outbox.js"
import { addIdentity } from "./addIdentity.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"
import { contactKeys } from "./contactKeys.js"
import { address } from "./Handle.js"
import { nameContact } from "./nameContact.js"

/** The handle that a message comes from or goes to. */
export interface ContactLookup {
  readonly connection: Connection
  /** The kind of identity that the handle is; null: none, so that the conversation alone identifies the contact. */
  readonly identity: IdentityChannel | null
  /** Normalised. */
  readonly handle: string
  /** Another handle of the same person, normalised, whose address no other contact claims. Default: null. */
  readonly otherHandle?: string | null
  /** Display name of the customer on the channel. */
  readonly displayName: string | null
  /** Initial opt-out flag of a new contact. Default: false. */
  readonly optedOut?: boolean
  /** When the customer wrote the message, in ms. Default: now. */
  readonly writtenAt?: Instant
  /** Time of the message, in ms, if it is one of the past. Default: now. */
  readonly activeAt?: Instant
}

/** The contact after the commit, and the parts of that commit. */
export interface ContactLookupResult {
  readonly contact: Contact
  readonly parts: ReadonlyArray<Parts>
  readonly events: ReadonlyArray<NewEvent>
}

/**
 * Finds or creates the contact of a handle. A new contact gets its `email` or `phone` from the handle; a known contact
 * that lacks the identity gets it (docs/reference/contacts.md#contacts-made-by-messages).
 */
export const findOrCreateContact = (
  known: Contact | undefined,
  lookup: ContactLookup,
  now: Instant,
  ids: Ids
): ContactLookupResult => (known === undefined ? newContact(lookup, now, ids) : existingContact(known, lookup, now))

const identityOf = ({ identity, displayName }: ContactLookup, handle: string): Identity | null =>
  identity === null ? null : { channel: identity, handle, displayName }

const otherIdentityOf = (lookup: ContactLookup): Identity | null =>
  lookup.otherHandle == null ? null : identityOf(lookup, lookup.otherHandle)

const newContact = (lookup: ContactLookup, now: Instant, ids: Ids): ContactLookupResult => {
  const { connection, handle, displayName, optedOut = false } = lookup
  const identity = identityOf(lookup, handle)
  const other = otherIdentityOf(lookup)
  const id = ids.next(now)
  const otherClaim = other && address(connection.workspaceId, other.channel, other.handle, id)
  const claim = identity && address(connection.workspaceId, identity.channel, handle, id)
  const withoutKeys: Omit<Contact, "nameKey" | "searchKey"> = {
    id,
    workspaceId: connection.workspaceId,
    firstName: identity === null ? null : displayName,
    lastName: null,
    company: null,
    jobTitle: null,
    email: claim?.space === "email" ? handle : null,
    phone: claim?.space === "phone" ? handle : null,
    country: null,
    city: null,
    language: null,
    timezone: null,
    lifecycleStage: "lead",
    optedOut,
    marketingOptedOut: false,
    optedOutAt: optedOut ? (lookup.writtenAt ?? now) : null,
    marketingOptedOutAt: null,
    identities: [identity, other].filter((one) => one !== null),
    tags: [],
    customFields: {},
    visitorName: identity === null ? displayName : null,
    lastActivityAt: lookup.activeAt ?? now,
    createdAt: now,
    version: 1
  }
  const contact = { ...withoutKeys, ...contactKeys(withoutKeys) }
  return {
    contact,
    parts: [
      {
        claims: [claim, otherClaim].flatMap((one) => (one === null ? [] : [row("addresses", one)])),
        inserts: [row("contacts", contact)]
      }
    ],
    events: [contactEvent("contact.created", contact)]
  }
}

const existingContact = (contact: Contact, lookup: ContactLookup, now: Instant): ContactLookupResult => {
  const { id } = contact
  const { activeAt = now } = lookup
  const active = { ...contact, lastActivityAt: Math.max(contact.lastActivityAt, activeAt) }
  const bumps = [{ table: "contacts" as const, id, greatest: { lastActivityAt: activeAt } }]
  const identity = identityOf(lookup, lookup.handle)
  const named = identity === null ? unchangedContact(active) : withIdentity(active, identity)
  const other = otherIdentityOf(lookup)
  const linked = other === null ? unchangedContact(named.contact) : addIdentity(named.contact, other)
  const events = [...named.events, ...linked.events]
  // Expect the contact to exist: nothing is written about a contact that was merged or erased concurrently.
  const parts = events.length === 0 ? [{ expects: [expect("contacts", { id })] }] : [named.parts, linked.parts]
  return { contact: linked.contact, parts: [{ bumps }, ...parts], events }
}

/**
 * Adds the identity if the contact lacks it, or sets its display name, which the customer's first inbound message
 * contains.
 */
const withIdentity = (contact: Contact, identity: Identity): ChangedContact => {
  const known = contact.identities.find(
    ({ channel, handle }) => channel === identity.channel && handle === identity.handle
  )
  return known?.displayName === null && identity.displayName !== null
    ? nameContact(contact, identity, identity.displayName)
    : // It lacks the identity if the handle was removed from it and a conversation with the handle remains.
      addIdentity(contact, identity)
}
