import { Schema } from "effect"
import { listOf, requiredText, uuid } from "../../kernel/input/Fields.js"
import { key } from "../../kernel/input/Key.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"

const maxStages = 50

const stages = listOf(Schema.Struct({ key, name: requiredText(100) }), maxStages, 1).pipe(
  Schema.filter((list) => new Set(list.map(({ key }) => key)).size === list.length || "must have a different key each")
)

/** The body of `POST /pipelines` (docs/reference/leads.md#pipelines-and-stages): its stages in their order. */
export const PipelineInput = component("PipelineInput", "A pipeline to create.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  name: field(requiredText(255), { examples: ["Sales"] }),
  stages: field(stages, {
    description: "In order; new leads start in the first.",
    examples: [
      [
        { key: "new", name: "New" },
        { key: "won", name: "Won" }
      ]
    ]
  })
})
export type PipelineInput = typeof PipelineInput.Type

/** The body of `PATCH /pipelines/{id}`. The stages are replaced as a whole. */
export const PipelinePatch = component(
  "PipelinePatch",
  "What to change; the stages are replaced as a whole.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    name: given(requiredText(255)),
    stages: given(stages)
  },
  { example: { name: "Sales 2026" } }
)
export type PipelinePatch = typeof PipelinePatch.Type

export const decodePipelineInput = partialDecode(PipelineInput)
export const decodePipelinePatch = partialDecode(PipelinePatch)
