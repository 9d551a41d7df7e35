import type { Contact } from "../../contacts/Contact.js"
import type { ContactPatch } from "../../contacts/ContactInput.js"
import { storedCustomFields } from "../../contacts/customFields.js"
import type { ImportedContact } from "./ImportInput.js"

/**
 * What an import changes of a contact that is known: the fields that it gives, and nothing by those that it leaves empty.
 * Handles and tags are added to those there are. It may say that a customer opted out; that they did not is told by a PATCH
 * alone, or an old file would undo a STOP.
 */
export const importedPatch = (known: Contact, imported: Partial<ImportedContact>): Partial<ContactPatch> => {
  const { customFields, identities, marketingOptedOut, optedOut, tags, ...plain } = imported
  const fields: Partial<ContactPatch> = Object.fromEntries(Object.entries(plain).filter(([, value]) => value != null))
  const handles = identities ?? []
  const names = tags ?? []
  return {
    ...fields,
    ...(optedOut === true ? { optedOut } : {}),
    ...(marketingOptedOut === true ? { marketingOptedOut } : {}),
    // The former email stays a handle beside the new one.
    ...(handles.length === 0 && imported.email == null && imported.phone == null
      ? {}
      : { identities: [...known.identities.map(({ channel, handle }) => ({ channel, handle })), ...handles] }),
    ...(names.length === 0 ? {} : { tags: [...known.tags, ...names] }),
    ...(customFields == null ? {} : { customFields: storedCustomFields(customFields) })
  }
}
