import type { Contact } from "../../model/Contact.js"
import { maxItems } from "./ContactInput.js"

type Lists = Pick<Contact, "identities" | "tags">

/**
 * The lists of a contact that would exceed the limit of an input (docs/reference/contacts.md#merging), so that a PATCH
 * with the contact's own values would fail. A list that is longer already, as a `POST /contacts` with full lists, email
 * and phone can make it, may keep its length.
 */
export const listsOverLimit = (before: Lists, after: Lists): ReadonlyArray<keyof Lists> =>
  (["identities", "tags"] as const).filter((list) => after[list].length > Math.max(maxItems[list], before[list].length))
