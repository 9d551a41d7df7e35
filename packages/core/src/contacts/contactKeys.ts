import type { Contact } from "./Contact.js"
import { contactName } from "./contactName.js"
import { folded } from "./folded.js"

/** By how many code points of its name a contact is ordered: databases index no text of just any length. */
const nameKeyLength = 255

/** The stored keys of a contact: what lists are ordered by and what `search` looks in (decisions.md §6). */
export const contactKeys = (
  contact: Omit<Contact, "nameKey" | "searchKey">
): { readonly nameKey: string; readonly searchKey: string } => {
  const name = contactName(contact)
  const searched = [name, contact.phone, contact.email, contact.company].filter((text) => text !== null)
  // folding may make a character several: there are names that grow to thousands of them
  const nameKey = Array.from(folded(name)).slice(0, nameKeyLength).join("")
  return { nameKey, searchKey: folded(searched.join("\n")) }
}
