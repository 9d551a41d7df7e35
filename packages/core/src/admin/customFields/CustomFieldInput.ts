import { Schema } from "effect"
import type { CustomField } from "../../contacts/Contact.js"
import { draft } from "../../input/Draft.js"
import { oneOf, requiredText, uuid } from "../../input/Fields.js"
import { key } from "../../input/Key.js"

/** The body of `POST /custom-fields` (decisions.md §14). */
export const CustomFieldInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  key,
  type: oneOf<CustomField["type"]>(["text", "number", "boolean", "date"]),
  label: requiredText(255)
}).annotations({ identifier: "CustomFieldInput" })
export type CustomFieldInput = typeof CustomFieldInput.Type

/** The query of `GET /custom-fields`. */
export const CustomFieldListQuery = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id"))
})
export type CustomFieldListQuery = typeof CustomFieldListQuery.Type

export const customFieldDraft = draft(CustomFieldInput)
