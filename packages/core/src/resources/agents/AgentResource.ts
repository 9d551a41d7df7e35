import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import type { Agent } from "../../model/Agent.js"

/** An agent on the wire (docs/reference/administration.md#agents-teams-and-tasks). */
export const AgentResource = component("Agent", "A person who answers customers.", {
  id: ids.agent,
  workspaceId,
  name: field(Schema.String, { examples: ["Grace"] }),
  email: field(Schema.NullOr(Schema.String), { examples: ["grace@example.com"] }),
  status: Schema.Literal("active", "inactive"),
  avatarUrl: wire("avatar_url", Schema.NullOr(Schema.String), {
    description: "Link to the image that customers see, which expires; null: no image."
  }),
  createdAt
})

/** The agent on the wire; `links` gives the link of a file by the agent's id. */
export const agentResource = (
  { avatar, createdAt, email, id, name, status, workspaceId }: Agent,
  links: (id: string) => { readonly url: string | null }
): typeof AgentResource.Type => ({
  ...{ id, workspaceId, name, email, status, createdAt },
  avatarUrl: avatar === null ? null : links(id).url
})
