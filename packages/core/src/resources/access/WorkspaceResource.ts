import { Schema } from "effect"
import { component, createdAt, field, ids, wire } from "../../kernel/input/wire.js"

/** A workspace on the wire (docs/reference/administration.md#workspaces). */
export const WorkspaceResource = component("Workspace", "A tenant. Its data is invisible to other workspaces.", {
  id: ids.workspace,
  name: field(Schema.String, { examples: ["Acme"] }),
  defaultLanguage: wire("default_language", Schema.NullOr(Schema.String), { examples: ["en"] }),
  timezone: field(Schema.String, { examples: ["Europe/Berlin"] }),
  status: Schema.Literal("active", "suspended", "unavailable"),
  createdAt
})
