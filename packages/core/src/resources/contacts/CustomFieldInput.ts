import { Schema } from "effect"
import { oneOf, requiredText, uuid } from "../../kernel/input/Fields.js"
import { key } from "../../kernel/input/Key.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { CustomField } from "../../model/Contact.js"

/** The body of `POST /custom-fields` (docs/reference/contacts.md#custom-fields). */
export const CustomFieldInput = component("CustomFieldInput", "A field to add to the workspace's contacts.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  key: field(key, { description: "The name of the field in `custom_fields`.", examples: ["shoe_size"] }),
  type: field(oneOf<CustomField["type"]>(["text", "number", "boolean", "date"]), { examples: ["number"] }),
  label: field(requiredText(255), { examples: ["Shoe size"] })
})
export type CustomFieldInput = typeof CustomFieldInput.Type

/** The query of `GET /custom-fields`. */
export const CustomFieldListQuery = Schema.Struct({
  workspaceId: wire("workspace_id", uuid, { description: "Only those of this workspace." })
})
export type CustomFieldListQuery = typeof CustomFieldListQuery.Type

export const decodeCustomFieldInput = partialDecode(CustomFieldInput)
