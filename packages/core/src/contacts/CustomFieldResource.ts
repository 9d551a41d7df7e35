import { Schema } from "effect"

/** A custom field on the wire (decisions.md §14). */
export const CustomFieldResource = Schema.Struct({
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  key: Schema.String,
  type: Schema.Literal("text", "number", "boolean", "date"),
  label: Schema.String
}).annotations({ identifier: "CustomField" })
