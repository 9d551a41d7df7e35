import { Option, Schema } from "effect"
import { FieldMessage, oneOf, optional, optionalText, requiredText, text } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, given } from "../../kernel/input/Patch.js"
import { zoneNamed } from "../../kernel/input/timeOfDay.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { WorkspaceStatus } from "../../model/Workspace.js"

/** The name of a time zone. */
const timezone: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((name) => Option.isSome(zoneNamed(name)), {
    jsonSchema: { type: "string", maxLength: 64 },
    [FieldMessage]: "must be a time zone of the IANA list such as Europe/Berlin"
  })
)

/** The body of `POST /workspaces` (docs/reference/administration.md#workspaces). Without a `timezone`, it is UTC. */
export const WorkspaceInput = component("WorkspaceInput", "A workspace to create.", {
  name: field(requiredText(255), { examples: ["Acme"] }),
  defaultLanguage: wire("default_language", optionalText(10), {
    description: "The language of templates, if a send has none.",
    examples: ["en"]
  }),
  timezone: field(optional(timezone), {
    description: "The IANA time zone of automations. Default: UTC.",
    examples: ["Europe/Berlin"]
  })
})
export type WorkspaceInput = typeof WorkspaceInput.Type

/** The body of `PATCH /workspaces/{id}`. */
export const WorkspacePatch = component(
  "WorkspacePatch",
  "What to change.",
  {
    name: given(requiredText(255)),
    defaultLanguage: wire("default_language", clearable(text(10))),
    timezone: given(timezone),
    status: given(oneOf<WorkspaceStatus>(["active", "suspended", "unavailable"]))
  },
  { example: { status: "suspended" } }
)
export type WorkspacePatch = typeof WorkspacePatch.Type

export const decodeWorkspaceInput = partialDecode(WorkspaceInput)
export const decodeWorkspacePatch = partialDecode(WorkspacePatch)
