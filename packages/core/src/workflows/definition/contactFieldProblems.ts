import { Schema, SchemaAST } from "effect"
import type { CustomField } from "../../contacts/Contact.js"
import { ContactPatch, contactPatchDraft } from "../../contacts/ContactInput.js"
import { givenHandles, handleProblems } from "../../contacts/contactHandles.js"
import { customFieldProblems } from "../../contacts/customFields.js"
import type { Problems } from "../../errors/Refusal.js"
import { isGiven } from "../../input/Closed.js"
import { joinProblems } from "../../input/Draft.js"
import { hasPlaceholder } from "../placeholders.js"
import type { UpdateContact } from "./Action.js"

const changeable = new Set<PropertyKey>(
  SchemaAST.getPropertySignatures(Schema.encodedSchema(ContactPatch).ast)
    .map(({ name }) => name)
    .filter((name) => name !== "workspace_id")
)

/**
 * What is wrong with the fields that a workflow is to write into a contact, by wire name: none of a contact's, or a value
 * that its PATCH would refuse (decisions.md §6). What a placeholder makes of a value is known only when it runs.
 */
export const contactFieldProblems = (
  fields: UpdateContact["contact"],
  customFields: ReadonlyArray<CustomField>
): Problems => {
  const unknown = Object.keys(fields).filter((field) => !changeable.has(field))
  const { custom_fields: custom, ...others } = fields
  const settled = Object.entries(others).filter(([, value]) => !hasPlaceholder(value))
  // Whether there is such a custom field is known even where its value is not; null fits each of them.
  const settledCustom = isGiven(custom)
    ? Object.fromEntries(Object.entries(custom).map(([key, value]) => [key, hasPlaceholder(value) ? null : value]))
    : custom
  const { problems, value } = contactPatchDraft({
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
