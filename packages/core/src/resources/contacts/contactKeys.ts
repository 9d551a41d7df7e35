import { searchKey } from "../../kernel/text/searchKey.js"
import type { Contact } from "../../model/Contact.js"
import { contactName } from "./contactName.js"

/** Maximum length of the name key in code points: databases limit the length of indexed text. */
const nameKeyLength = 255

/** The stored keys of a contact: the sort key of lists and the search key (docs/reference/contacts.md#search-key). */
export const contactKeys = (
  contact: Omit<Contact, "nameKey" | "searchKey">
): { readonly nameKey: string; readonly searchKey: string } => {
  const name = contactName(contact)
  const searched = [name, contact.phone, contact.email, contact.company].filter((text) => text !== null)
  // Normalisation may expand one character to several, so cut after it.
  const key = searchKey(name)
  const nameKey = key.length <= nameKeyLength ? key : Array.from(key).slice(0, nameKeyLength).join("")
  return { nameKey, searchKey: searchKey(searched.join("\n")) }
}
