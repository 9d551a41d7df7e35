import type { Contact } from "./Contact.js"
import { contactName } from "./contactName.js"
import { folded } from "./folded.js"

/** The stored keys of a contact: what lists are ordered by and what `search` looks in (decisions.md §6). */
export const contactKeys = (
  contact: Omit<Contact, "nameKey" | "searchKey">
): { readonly nameKey: string; readonly searchKey: string } => {
  const name = contactName(contact)
  const searched = [name, contact.phone, contact.email, contact.company].filter((text) => text !== null)
  return { nameKey: folded(name), searchKey: folded(searched.join("\n")) }
}
