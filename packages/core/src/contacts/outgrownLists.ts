import type { Contact } from "./Contact.js"
import { mostItems } from "./ContactInput.js"

type Lists = Pick<Contact, "identities" | "tags">

/**
 * The lists of a contact that would grow beyond what an input may give (spec, Contact), so that it could not be patched with
 * its own. One that is longer already, as the email and phone of a full `POST /contacts` make it, may stay so.
 */
export const outgrownLists = (before: Lists, after: Lists): ReadonlyArray<keyof Lists> =>
  (["identities", "tags"] as const).filter(
    (list) => after[list].length > Math.max(mostItems[list], before[list].length)
  )
