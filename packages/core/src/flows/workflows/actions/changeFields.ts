import { Effect, Either } from "effect"
import { isJsonRecord } from "../../../kernel/input/StrictStruct.js"
import type { UpdateContact } from "../../../model/Action.js"
import type { CustomField } from "../../../model/Contact.js"
import { decodeContactPatch } from "../../../resources/contacts/ContactInput.js"
import { loadContactReferences } from "../../../resources/contacts/contactReferences.js"
import { readAsText } from "../../../resources/contacts/customFields.js"
import { fillInJson, hasPlaceholder } from "../../../resources/contacts/placeholders.js"
import { updateContact } from "../../../resources/contacts/updateContact.js"
import { type Prepare, type RunScope, valuesOf } from "../runs/RunScope.js"
import { changedContact } from "./changedContact.js"

/**
 * Changes fields of the contact by the rules of its PATCH (docs/reference/contacts.md#changing-a-contact). A field
 * whose placeholders give empty text stays as it is: a value that an event lacks must not delete an address or a name.
 */
export const changeFields: Prepare<UpdateContact> = ({ storage }, first, action) => {
  const { customFields, email, identities, phone, tags } = decodedOf(filledOf(first, action).given, []).value
  const named = {
    customFields: customFields ?? null,
    email: email ?? null,
    identities: identities ?? null,
    phone: phone ?? null,
    tags: tags ?? null
  }
  return Effect.map(loadContactReferences(storage, first.run.workspaceId, named), (references) => (scope, now, ids) => {
    const { given, missing } = filledOf(scope, action)
    const decoded = decodedOf(given, references.customFields)
    const changed = changedContact(
      updateContact({ ...scope, ...references }, decoded, now, ids),
      detailOf(given, missing)
    )
    // A send chooses its recipient by the contact's addresses, and a condition tests its channels.
    return Either.map(changed, (result) => ({ ...result, rereads: true }))
  })
}

type Fields = { readonly [field: string]: unknown }

/** The fields with placeholders replaced, and the names of those that are left out because they became empty. */
const filledOf = (scope: RunScope, { contact }: UpdateContact) => {
  const filled = fillInJson(contact, valuesOf(scope)) as Fields
  const isMissing = (defined: unknown, value: unknown): boolean =>
    typeof value === "string" && value.trim() === "" && hasPlaceholder(defined)
  const missingIn = (defined: Fields, values: Fields) =>
    Object.keys(values).filter((name) => isMissing(defined[name], values[name]))
  const missing = missingIn(contact, filled)
  const { custom_fields: custom } = filled
  if (!isJsonRecord(custom)) return { given: without(filled, missing), missing }
  const missingCustom = missingIn(contact.custom_fields as Fields, custom)
  return {
    given: { ...without(filled, missing), custom_fields: without(custom, missingCustom) },
    missing: [...missing, ...missingCustom.map((key) => `custom_fields.${key}`)]
  }
}

const without = (fields: Fields, names: ReadonlyArray<string>): Fields =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const detailOf = (given: Fields, missing: ReadonlyArray<string>): string => {
  const written = Object.entries(given).flatMap(([name, value]) =>
    isJsonRecord(value) && Object.keys(value).length === 0 ? [] : [name]
  )
  return [
    ...(written.length === 0 ? [] : [`updated ${written.join(", ")}`]),
    ...(missing.length === 0 ? [] : [`left ${missing.join(", ")} unchanged, because the filled-in text is empty`])
  ].join("; ")
}

/** A replaced value is text; custom fields convert it to their type. */
const decodedOf = (given: Fields, customFields: ReadonlyArray<CustomField>) => {
  const custom = given.custom_fields
  return decodeContactPatch(
    isJsonRecord(custom) ? { ...given, custom_fields: readAsText(custom, customFields) } : given
  )
}
