import { Schema } from "effect"
import { component, createdAt, field, ids, workspaceId } from "../../kernel/input/wire.js"

/** A pipeline on the wire (docs/reference/leads.md#pipelines-and-stages). */
export const PipelineResource = component("Pipeline", "The stages through which leads move.", {
  id: ids.pipeline,
  workspaceId,
  name: field(Schema.String, { examples: ["Sales"] }),
  stages: field(Schema.Array(Schema.Struct({ key: Schema.String, name: Schema.String })), {
    description: "In order.",
    examples: [
      [
        { key: "new", name: "New" },
        { key: "won", name: "Won" }
      ]
    ]
  }),
  createdAt
})
