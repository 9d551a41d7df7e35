import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"

/** A team on the wire (docs/reference/administration.md#agents-teams-and-tasks). */
export const TeamResource = component("Team", "Agents who work together.", {
  id: ids.team,
  workspaceId,
  name: field(Schema.String, { examples: ["Support"] }),
  agentIds: wire("agent_ids", Schema.Array(ids.agent)),
  createdAt
})
