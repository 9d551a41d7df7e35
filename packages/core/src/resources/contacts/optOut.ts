import type { Contact } from "../../model/Contact.js"
import { expect, set } from "../../ports/Changes.js"
import { type ChangedContact, unchangedContact } from "./ChangedContact.js"
import { contactEvent } from "./contactEvent.js"

/** Scope of an opt-out: all messages, or marketing only. */
export type OptOutScope = "all" | "marketing"

/**
 * Records an opt-out or opt-in of a customer (docs/reference/contacts.md#opt-out): `value` is true for an opt-out. The
 * two scopes are independent.
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
