import { expect, set } from "../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import type { Contact } from "./Contact.js"
import { contactEvent } from "./contactEvent.js"
import { contactKeys } from "./contactKeys.js"

/**
 * Writes down what a customer calls themselves under a handle: the display name of the identity, and the name of a contact
 * that has none. A handle that is none of the contact's any more changes nothing.
 */
export const nameContact = (
  contact: Contact,
  handle: Pick<Contact["identities"][number], "channel" | "handle">,
  name: string
): ChangedContact => {
  const isMeant = (one: Contact["identities"][number]) => one.channel === handle.channel && one.handle === handle.handle
  if (contact.identities.every((one) => !isMeant(one) || one.displayName === name)) return unchangedContact(contact)
  const identities = contact.identities.map((one) => (isMeant(one) ? { ...one, displayName: name } : one))
  const firstName = contact.firstName === null && contact.lastName === null ? name : contact.firstName
  const values = { identities, firstName, ...contactKeys({ ...contact, identities, firstName }) }
  const changed = { ...contact, ...values }
  const { id, version } = contact
  return {
    contact: changed,
    parts: { expects: [expect("contacts", { id }, { version })], sets: [set("contacts", { id }, values)] },
    events: [contactEvent("contact.updated", changed)]
  }
}
