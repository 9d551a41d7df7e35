import { expect, set } from "../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import type { Contact } from "./Contact.js"
import { contactEvent } from "./contactEvent.js"

/** What a customer wants no more of: any message, or marketing alone. */
export type OptOutScope = "all" | "marketing"

/**
 * Writes down what a customer said about being written to (decisions.md §6): `value` is true where they want no more of it,
 * false where they want it again. The two scopes are independent of each other.
 */
export const optOut = (contact: Contact, scope: OptOutScope, value: boolean): ChangedContact => {
  const flag = scope === "all" ? "optedOut" : "marketingOptedOut"
  if (contact[flag] === value) return unchangedContact(contact)
  const { id, version } = contact
  const changed = { ...contact, [flag]: value }
  return {
    contact: changed,
    parts: {
      expects: [expect("contacts", { id }, { version })],
      sets: [set("contacts", { id }, { [flag]: value })]
    },
    events: [contactEvent("contact.updated", changed)]
  }
}
