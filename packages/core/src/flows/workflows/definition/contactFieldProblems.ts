import { Schema, SchemaAST } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import { joinProblems } from "../../../kernel/input/PartialDecode.js"
import { isJsonRecord } from "../../../kernel/input/StrictStruct.js"
import type { UpdateContact } from "../../../model/Action.js"
import type { CustomField } from "../../../model/Contact.js"
import { ContactPatch, decodeContactPatch } from "../../../resources/contacts/ContactInput.js"
import { givenHandles, handleProblems } from "../../../resources/contacts/contactHandles.js"
import { customFieldProblems } from "../../../resources/contacts/customFields.js"
import { hasPlaceholder } from "../../../resources/contacts/placeholders.js"

/** Fields of a patch that are not fields of a contact that change. */
const unwritten: ReadonlyArray<PropertyKey> = ["workspace_id", "expect"]

const changeable = new Set<PropertyKey>(
  SchemaAST.getPropertySignatures(Schema.encodedSchema(ContactPatch).ast)
    .map(({ name }) => name)
    .filter((name) => !unwritten.includes(name))
)

/**
 * Problems of the contact fields that an action writes, by wire name: unknown fields, and values that the contact's
 * PATCH refuses (docs/reference/contacts.md#changing-a-contact). A value with a placeholder is validated when the run
 * replaces it.
 */
export const contactFieldProblems = (
  fields: UpdateContact["contact"],
  customFields: ReadonlyArray<CustomField>
): Problems => {
  const unknown = Object.keys(fields).filter((field) => !changeable.has(field))
  const { custom_fields: custom, ...others } = fields
  const settled = Object.entries(others).filter(([, value]) => !hasPlaceholder(value))
  // Null passes every type check, so that only the key of a custom field with a placeholder is checked.
  const settledCustom = isJsonRecord(custom)
    ? Object.fromEntries(Object.entries(custom).map(([key, value]) => [key, hasPlaceholder(value) ? null : value]))
    : custom
  const { problems, value } = decodeContactPatch({
    ...Object.fromEntries(settled),
    ...(custom === undefined ? {} : { custom_fields: settledCustom })
  })
  return [
    problems,
    handleProblems(
      givenHandles({
        email: value.email ?? null,
        phone: value.phone ?? null,
        identities: value.identities ?? null
      })
    ),
    customFieldProblems(value.customFields ?? {}, customFields)
  ].reduce(joinProblems, unknown.length === 0 ? {} : { "": [`must have no fields but ${[...changeable].join(", ")}`] })
}
