import type { Contact } from "../../model/Contact.js"
import type { ContactPatch } from "./ContactInput.js"
import { storedCustomFields } from "./customFields.js"
import type { ImportedContact } from "./ImportInput.js"

/**
 * The patch of a known contact by an import. Empty fields change nothing. Handles and tags are added to the existing
 * ones. An import can set an opt-out but not clear it, else an old file would undo a STOP; only a PATCH clears it.
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
    // The previous email stays as a handle in addition to the new one.
    ...(handles.length === 0 && imported.email == null && imported.phone == null
      ? {}
      : { identities: [...known.identities.map(({ channel, handle }) => ({ channel, handle })), ...handles] }),
    ...(names.length === 0 ? {} : { tags: [...known.tags, ...names] }),
    ...(customFields == null ? {} : { customFields: storedCustomFields(customFields) })
  }
}
