import { listOf, optional, requiredText, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { expectation, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, part, wire } from "../../kernel/input/wire.js"

const agentIds = listOf(uuid, 1_000)

/** The body of `POST /teams` (docs/reference/administration.md#agents-teams-and-tasks). */
export const TeamInput = component("TeamInput", "A team to create.", {
  workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
  name: field(requiredText(255), { examples: ["Support"] }),
  agentIds: wire("agent_ids", optional(agentIds), { examples: [[sampleIds.agent]] })
})
export type TeamInput = typeof TeamInput.Type

const changing = {
  name: given(requiredText(255)),
  agentIds: wire("agent_ids", given(agentIds))
}

/** The body of `PATCH /teams/{id}`. The agents are replaced as a whole. */
export const TeamPatch = component(
  "TeamPatch",
  "What to change; the agents are replaced as a whole.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    ...changing,
    expect: expectation(part(changing))
  },
  { example: { agent_ids: [] } }
)
export type TeamPatch = typeof TeamPatch.Type

export const decodeTeamInput = partialDecode(TeamInput)
export const decodeTeamPatch = partialDecode(TeamPatch)
