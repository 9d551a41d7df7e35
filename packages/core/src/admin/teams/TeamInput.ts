import { Schema } from "effect"
import { draft } from "../../input/Draft.js"
import { listOf, optional, requiredText, uuid } from "../../input/Fields.js"
import { given, unchangeable } from "../../input/Patch.js"

const agentIds = listOf(uuid, 1_000)

/** The body of `POST /teams` (decisions.md §14). */
export const TeamInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(255),
  agentIds: optional(agentIds).pipe(Schema.fromKey("agent_ids"))
}).annotations({ identifier: "TeamInput" })
export type TeamInput = typeof TeamInput.Type

/** The body of `PATCH /teams/{id}`. The agents are replaced as a whole. */
export const TeamPatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: given(requiredText(255)),
  agentIds: given(agentIds).pipe(Schema.fromKey("agent_ids"))
}).annotations({ identifier: "TeamPatch" })
export type TeamPatch = typeof TeamPatch.Type

export const teamDraft = draft(TeamInput)
export const teamPatchDraft = draft(TeamPatch)
