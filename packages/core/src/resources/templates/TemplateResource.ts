import { Schema } from "effect"
import { component, createdAt, field, ids, wire, workspaceId } from "../../kernel/input/wire.js"
import { Channel } from "../../model/Channel.js"
import { type Template, TemplateParts } from "../../model/Template.js"
import { noAccount } from "./templateAccount.js"
import { isSendable, slotNames } from "./templateSlots.js"

const fields = {
  id: ids.template,
  name: field(Schema.String, { examples: ["order_shipped"] }),
  channel: field(Channel, { examples: ["whatsapp"] }),
  language: field(Schema.String, { examples: ["en"] }),
  account: field(Schema.optional(Schema.String), {
    description: "The vendor's account that has it; absent if it was made by hand.",
    examples: ["102290129340398"]
  }),
  category: field(Schema.NullOr(Schema.String), { examples: ["utility"] }),
  status: field(Schema.Literal("draft", "pending", "approved", "rejected", "paused"), { examples: ["approved"] }),
  isSendable: wire("is_sendable", Schema.Boolean, {
    description: "Only approved templates can be sent.",
    examples: [true]
  }),
  body: field(Schema.String, { examples: ["Hello {{1}}, your order {{2}} is on its way."] }),
  subject: field(Schema.optional(Schema.String), {
    description: "The subject of its messages; absent without one.",
    examples: ["Order {{2}}"]
  }),
  html: field(Schema.optional(Schema.String), { description: "The body as HTML; absent without it." }),
  parts: field(Schema.optional(TemplateParts), {
    description: "Header, footer and buttons of the vendor's template; absent without them."
  }),
  /** Slot names in order. */
  variables: field(Schema.Array(Schema.String), {
    description: "The names of the slots, in the order of their values.",
    examples: [["1", "2"]]
  })
}

/** A template on the wire (docs/reference/templates.md#template-fields). */
export const TemplateResource = component("Template", "A text with slots, approved before it is sent.", fields)

/** A template on the wire of the administration, which sees every workspace. */
export const AdminTemplateResource = component("AdminTemplate", "A text with slots, approved before it is sent.", {
  ...fields,
  workspaceId,
  createdAt
})

/** For both shapes; the narrower one leaves out what it does not have. */
export const templateResource = ({ account, parts, ...template }: Template): typeof AdminTemplateResource.Type => ({
  ...template,
  ...(account === noAccount ? {} : { account }),
  ...(parts?.mail?.subject == null ? {} : { subject: parts.mail.subject }),
  ...(parts?.mail?.html == null ? {} : { html: parts.mail.html }),
  ...(parts === null || parts.mail !== undefined ? {} : { parts }),
  isSendable: isSendable(template),
  variables: slotNames({ ...template, parts })
})
