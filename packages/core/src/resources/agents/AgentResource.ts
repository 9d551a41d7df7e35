import { Schema } from "effect"
import { component, createdAt, field, ids, workspaceId } from "../../kernel/input/wire.js"

/** An agent on the wire (docs/reference/administration.md#agents-teams-and-tasks). */
export const AgentResource = component("Agent", "A person who answers customers.", {
  id: ids.agent,
  workspaceId,
  name: field(Schema.String, { examples: ["Grace"] }),
  email: field(Schema.NullOr(Schema.String), { examples: ["grace@example.com"] }),
  status: Schema.Literal("active", "inactive"),
  createdAt
})
