import { Schema } from "effect"
import { component, field, workspaceId } from "../../kernel/input/wire.js"

/** A custom field on the wire (docs/reference/contacts.md#custom-fields). */
export const CustomFieldResource = component("CustomField", "A field that the workspace adds to its contacts.", {
  workspaceId,
  key: field(Schema.String, { examples: ["shoe_size"] }),
  type: field(Schema.Literal("text", "number", "boolean", "date"), { examples: ["number"] }),
  label: field(Schema.String, { examples: ["Shoe size"] })
})
