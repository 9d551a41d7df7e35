import { Effect } from "effect"
import type { CustomField } from "../../contacts/Contact.js"
import { contactPatchDraft } from "../../contacts/ContactInput.js"
import { loadContactReferences } from "../../contacts/contactReferences.js"
import { readAsText } from "../../contacts/customFields.js"
import { updateContact } from "../../contacts/updateContact.js"
import type { UpdateContact } from "../definition/Action.js"
import { fillInJson } from "../placeholders.js"
import { type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { changedContact } from "./changedContact.js"

/** Changes fields of the contact by the rules of its PATCH (decisions.md §6). */
export const changeFields: Prepare<UpdateContact> = ({ storage }, first, action) => {
  const { customFields, email, identities, phone, tags } = draftOf(first, action, []).value
  const named = {
    customFields: customFields ?? null,
    email: email ?? null,
    identities: identities ?? null,
    phone: phone ?? null,
    tags: tags ?? null
  }
  return Effect.map(
    loadContactReferences(storage, first.run.workspaceId, named),
    (references) => (scope, now, ids) =>
      changedContact(
        updateContact({ ...scope, ...references }, draftOf(scope, action, references.customFields), now, ids),
        `updated ${Object.keys(action.contact).join(", ")}`
      )
  )
}

/** The fields filled in. What stands for a placeholder is text: custom fields take it as what they are of. */
const draftOf = (scope: RunScope, { contact }: UpdateContact, customFields: ReadonlyArray<CustomField>) => {
  const filled = fillInJson(contact, valuesOf(scope)) as { readonly [field: string]: unknown }
  const custom = filled.custom_fields
  return contactPatchDraft(isObject(custom) ? { ...filled, custom_fields: readAsText(custom, customFields) } : filled)
}

const isObject = (value: unknown): value is { readonly [key: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)
