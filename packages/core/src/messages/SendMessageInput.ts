import { Schema } from "effect"
import { Channel } from "../channels/Channel.js"
import { draft } from "../input/Draft.js"
import { listOf, oneOf, optional, optionalText, requiredText, text, uuid } from "../input/Fields.js"

/** The body of `POST /messages` (spec; decisions.md §7). Which of `message`'s fields are needed depends on `type`. */
export const SendMessageInput = Schema.Struct({
  channel: oneOf(Channel.literals),
  to: requiredText(255),
  type: oneOf(["text", "template"]),
  externalReference: optionalText(255).pipe(Schema.fromKey("external_reference")),
  connectionId: optional(uuid).pipe(Schema.fromKey("connection_id")),
  message: Schema.Struct({
    body: optionalText(100_000),
    subject: optionalText(998),
    template: optionalText(512),
    language: optionalText(10),
    variables: optional(listOf(text(4_096), 100))
  })
}).annotations({ identifier: "SendMessageInput" })
export type SendMessageInput = typeof SendMessageInput.Type

export const sendMessageDraft = draft(SendMessageInput)
