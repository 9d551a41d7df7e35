import { channelName, oneOf, optional, optionalText, requiredText, text, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { clearable, given, unchangeable } from "../../kernel/input/Patch.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import type { TemplateStatus } from "../../model/Template.js"

const body = requiredText(4_096)
const html = text(65_536)
const status = oneOf<TemplateStatus>(["draft", "pending", "approved", "rejected", "paused"])

/**
 * The body of `POST /templates` (docs/reference/templates.md#template-limits); `status` is `draft` where it is left
 * out.
 */
export const TemplateInput = component(
  "TemplateInput",
  "A template to create. Its slots are `{{1}}`, `{{2}}`, and so on.",
  {
    workspaceId: wire("workspace_id", uuid, { examples: [sampleIds.workspace] }),
    name: field(requiredText(512), { examples: ["order_shipped"] }),
    channel: field(channelName, {
      description: "A channel that a provider of the host serves.",
      examples: ["whatsapp"]
    }),
    language: field(requiredText(10), { examples: ["en"] }),
    category: field(optionalText(40), { examples: ["utility"] }),
    body: field(body, { examples: ["Hello {{1}}, your order {{2}} is on its way."] }),
    subject: field(optionalText(255), {
      description: "On channels with subjects: the subject of its messages, which may have slots.",
      examples: ["Order {{2}}"]
    }),
    html: field(optionalText(65_536), {
      description:
        "On channels with subjects: the body as HTML, which may have the same slots. Their values are escaped.",
      examples: ["<p>Hello {{1}}, your order <b>{{2}}</b> is on its way.</p>"]
    }),
    status: field(optional(status), { description: "Default: `draft`.", examples: ["approved"] })
  },
  {
    example: {
      workspace_id: sampleIds.workspace,
      name: "order_shipped",
      channel: "whatsapp",
      language: "en",
      category: "utility",
      body: "Hello {{1}}, your order {{2}} is on its way.",
      status: "approved"
    }
  }
)
export type TemplateInput = typeof TemplateInput.Type

/** The body of `PATCH /templates/{id}`. Name, channel and language cannot be changed. */
export const TemplatePatch = component(
  "TemplatePatch",
  "What to change.",
  {
    workspaceId: wire("workspace_id", unchangeable),
    name: unchangeable,
    channel: unchangeable,
    language: unchangeable,
    category: clearable(text(40)),
    body: given(body),
    subject: clearable(text(255)),
    html: clearable(html),
    status: given(status)
  },
  { example: { status: "paused" } }
)
export type TemplatePatch = typeof TemplatePatch.Type

export const decodeTemplateInput = partialDecode(TemplateInput)
export const decodeTemplatePatch = partialDecode(TemplatePatch)
