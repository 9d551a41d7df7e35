import { Schema } from "effect"
import { Channel } from "../../channels/Channel.js"
import { draft } from "../../input/Draft.js"
import { oneOf, optional, optionalText, requiredText, text, uuid } from "../../input/Fields.js"
import { clearable, given, unchangeable } from "../../input/Patch.js"
import type { TemplateStatus } from "../../templates/Template.js"

const body = requiredText(4_096)
const status = oneOf<TemplateStatus>(["draft", "pending", "approved", "rejected", "paused"])

/** The body of `POST /templates` (decisions.md §14); `status` is `draft` where it is left out. */
export const TemplateInput = Schema.Struct({
  workspaceId: Schema.propertySignature(uuid).pipe(Schema.fromKey("workspace_id")),
  name: requiredText(512),
  channel: oneOf(Channel.literals),
  language: requiredText(10),
  category: optionalText(40),
  body,
  status: optional(status)
}).annotations({ identifier: "TemplateInput" })
export type TemplateInput = typeof TemplateInput.Type

/** The body of `PATCH /templates/{id}`. What a template is named by stays. */
export const TemplatePatch = Schema.Struct({
  workspaceId: unchangeable.pipe(Schema.fromKey("workspace_id")),
  name: unchangeable,
  channel: unchangeable,
  language: unchangeable,
  category: clearable(text(40)),
  body: given(body),
  status: given(status)
}).annotations({ identifier: "TemplatePatch" })
export type TemplatePatch = typeof TemplatePatch.Type

export const templateDraft = draft(TemplateInput)
export const templatePatchDraft = draft(TemplatePatch)
