import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { listOf, requiredText, uuid } from "../../input/Fields.js"
import { key } from "../../input/Key.js"
import { given, unchangeable } from "../../input/Patch.js"

const mostStages = 50

const stages = listOf(Schema.Struct({ key, name: requiredText(100) }), mostStages, 1).pipe(
  Schema.filter((list) => new Set(list.map(({ key }) => key)).size === list.length || "must have a different key each")
)

/** The body of `POST /pipelines` (decisions.md §14): its stages in their order. */
export const PipelineInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  stages
}).annotations({ identifier: "PipelineInput" })
export type PipelineInput = typeof PipelineInput.Type

/** The body of `PATCH /pipelines/{id}`. The stages are replaced as a whole. */
export const PipelinePatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  stages: given(stages)
}).annotations({ identifier: "PipelinePatch" })
export type PipelinePatch = typeof PipelinePatch.Type

export const pipelineDraft = draft(PipelineInput)
export const pipelinePatchDraft = draft(PipelinePatch)
