import { Schema } from "effect"
import { draft } from "../input/Draft.js"
import { listOf, optional, optionalText, text, uuid } from "../input/Fields.js"

/** The body of `POST /conversations/{id}/messages` (decisions.md §14): a text, or a template where one is named. */
export const ReplyInput = Schema.Struct({
  body: optionalText(100_000),
  subject: optionalText(998),
  template: optionalText(512),
  language: optionalText(10),
  variables: optional(listOf(text(4_096), 100)),
  agentId: optional(uuid).pipe(Schema.fromKey("agent_id"))
}).annotations({ identifier: "ReplyInput" })
export type ReplyInput = typeof ReplyInput.Type

export const replyDraft = draft(ReplyInput)
