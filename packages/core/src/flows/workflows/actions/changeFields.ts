import { Effect, Either } from "effect"
import { isJsonRecord } from "../../../kernel/input/StrictStruct.js"
import type { UpdateContact } from "../../../model/Action.js"
import type { CustomField } from "../../../model/Contact.js"
import { decodeContactPatch } from "../../../resources/contacts/ContactInput.js"
import { loadContactReferences } from "../../../resources/contacts/contactReferences.js"
import { readAsText } from "../../../resources/contacts/customFields.js"
import { fillInJson } from "../../../resources/contacts/placeholders.js"
import { updateContact } from "../../../resources/contacts/updateContact.js"
import { type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { changedContact } from "./changedContact.js"

/** Changes fields of the contact by the rules of its PATCH (docs/reference/contacts.md#changing-a-contact). */
export const changeFields: Prepare<UpdateContact> = ({ storage }, first, action) => {
  const { customFields, email, identities, phone, tags } = decodedOf(first, action, []).value
  const named = {
    customFields: customFields ?? null,
    email: email ?? null,
    identities: identities ?? null,
    phone: phone ?? null,
    tags: tags ?? null
  }
  return Effect.map(loadContactReferences(storage, first.run.workspaceId, named), (references) => (scope, now, ids) => {
    const decoded = decodedOf(scope, action, references.customFields)
    const changed = changedContact(
      updateContact({ ...scope, ...references }, decoded, now, ids),
      `updated ${Object.keys(action.contact).join(", ")}`
    )
    // A send chooses its recipient by the contact's addresses, and a condition tests its channels.
    return Either.map(changed, (result) => ({ ...result, rereads: true }))
  })
}

/** The fields with placeholders replaced. A replaced value is text; custom fields convert it to their type. */
const decodedOf = (scope: RunScope, { contact }: UpdateContact, customFields: ReadonlyArray<CustomField>) => {
  const filled = fillInJson(contact, valuesOf(scope)) as { readonly [field: string]: unknown }
  const custom = filled.custom_fields
  return decodeContactPatch(
    isJsonRecord(custom) ? { ...filled, custom_fields: readAsText(custom, customFields) } : filled
  )
}
