import type { Contact } from "../../model/Contact.js"
import { expect, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"
import { contactKeys } from "./contactKeys.js"

/**
 * Records the name that a customer uses on a handle: sets the display name of the identity, and the first name of a
 * contact without a name. No change if the contact no longer has the handle.
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
