import { Option, Schema } from "effect"
import type { WorkspaceStatus } from "../../access/Workspace.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optional, optionalText, requiredText, text, Words } from "../../input/Fields.js"
import { clearable, given } from "../../input/Patch.js"
import { zoneNamed } from "../../workflows/definition/timeOfDay.js"

/** The name of a time zone. */
const timezone: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((name) => Option.isSome(zoneNamed(name)), {
    jsonSchema: { type: "string", maxLength: 64 },
    [Words]: "must be a time zone of the IANA list such as Europe/Berlin"
  })
)

/** The body of `POST /workspaces` (decisions.md §14). Without a `timezone`, it is UTC. */
export const WorkspaceInput = Schema.Struct({
  name: requiredText(255),
  defaultLanguage: optionalText(10).pipe(Schema.fromKey("default_language")),
  timezone: optional(timezone)
}).annotations({ identifier: "WorkspaceInput" })
export type WorkspaceInput = typeof WorkspaceInput.Type

/** The body of `PATCH /workspaces/{id}`. */
export const WorkspacePatch = Schema.Struct({
  name: given(requiredText(255)),
  defaultLanguage: clearable(text(10)).pipe(Schema.fromKey("default_language")),
  timezone: given(timezone),
  status: given(oneOf<WorkspaceStatus>(["active", "suspended", "unavailable"]))
}).annotations({ identifier: "WorkspacePatch" })
export type WorkspacePatch = typeof WorkspacePatch.Type

export const workspaceDraft = draft(WorkspaceInput)
export const workspacePatchDraft = draft(WorkspacePatch)
