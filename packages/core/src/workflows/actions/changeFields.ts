import { Effect } from "effect"
import { contactPatchDraft } from "../../contacts/ContactInput.js"
import { loadContactReferences } from "../../contacts/contactReferences.js"
import { updateContact } from "../../contacts/updateContact.js"
import type { UpdateContact } from "../Action.js"
import { fillInJson } from "../placeholders.js"
import { type Prepare, type RunScope, valuesOf } from "../RunScope.js"
import { changedContact } from "./changedContact.js"

/** Changes fields of the contact by the rules of its PATCH (decisions.md §6). */
export const changeFields: Prepare<UpdateContact> = ({ storage }, first, action) => {
  const draftFor = (scope: RunScope) =>
    contactPatchDraft(fillInJson(action.contact, valuesOf(scope)) as { readonly [field: string]: unknown })
  const { customFields, email, identities, phone, tags } = draftFor(first).value
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
        updateContact({ ...scope, ...references }, draftFor(scope), now, ids),
        `updated ${Object.keys(action.contact).join(", ")}`
      )
  )
}
