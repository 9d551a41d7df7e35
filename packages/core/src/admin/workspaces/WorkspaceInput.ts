import { Schema } from "effect"
import type { WorkspaceStatus } from "../../access/Workspace.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optionalText, requiredText, text } from "../../input/Fields.js"
import { clearable, given } from "../../input/Patch.js"

/** The body of `POST /workspaces` (decisions.md §14). */
export const WorkspaceInput = Schema.Struct({
  name: requiredText(255),
  defaultLanguage: optionalText(10).pipe(Schema.fromKey("default_language"))
}).annotations({ identifier: "WorkspaceInput" })
export type WorkspaceInput = typeof WorkspaceInput.Type

/** The body of `PATCH /workspaces/{id}`. */
export const WorkspacePatch = Schema.Struct({
  name: given(requiredText(255)),
  defaultLanguage: clearable(text(10)).pipe(Schema.fromKey("default_language")),
  status: given(oneOf<WorkspaceStatus>(["active", "suspended", "unavailable"]))
}).annotations({ identifier: "WorkspacePatch" })
export type WorkspacePatch = typeof WorkspacePatch.Type

export const workspaceDraft = draft(WorkspaceInput)
export const workspacePatchDraft = draft(WorkspacePatch)
