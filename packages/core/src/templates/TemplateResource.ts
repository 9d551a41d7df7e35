import { Schema } from "effect"
import { Channel } from "../channels/Channel.js"
import { Timestamp } from "../Instant.js"
import { isSendable, slotNames } from "./slots.js"
import type { Template } from "./Template.js"

const fields = {
  id: Schema.String,
  name: Schema.String,
  channel: Channel,
  language: Schema.String,
  category: Schema.NullOr(Schema.String),
  status: Schema.Literal("draft", "pending", "approved", "rejected", "paused"),
  isSendable: Schema.propertySignature(Schema.Boolean).pipe(Schema.fromKey("is_sendable")),
  body: Schema.String,
  /** Slot names in order. */
  variables: Schema.Array(Schema.String)
}

/** A template on the wire (decisions.md §10). */
export const TemplateResource = Schema.Struct(fields).annotations({ identifier: "Template" })

/** A template on the wire of the administration, which sees every workspace. */
export const AdminTemplateResource = Schema.Struct({
  ...fields,
  workspaceId: Schema.propertySignature(Schema.String).pipe(Schema.fromKey("workspace_id")),
  createdAt: Schema.propertySignature(Timestamp).pipe(Schema.fromKey("created_at"))
}).annotations({ identifier: "AdminTemplate" })

/** For both shapes; the narrower one leaves out what it does not have. */
export const templateResource = (template: Template): typeof AdminTemplateResource.Type => ({
  ...template,
  isSendable: isSendable(template),
  variables: slotNames(template.body)
})
