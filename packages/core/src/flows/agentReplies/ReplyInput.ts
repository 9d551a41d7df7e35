import { listOf, oneOf, optional, optionalText, text, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import { SendType } from "../../model/MessageContent.js"
import { ContentInput, ReplyFileInput, templatePartFields } from "../../resources/messages/ContentInput.js"

/**
 * The body of `POST /conversations/{id}/messages` (docs/reference/conversations.md#agents-replies): a text, a template,
 * or content.
 */
export const ReplyInput = component(
  "ReplyInput",
  "A reply of an agent: of the `type`, else a template if one is given, else a text.",
  {
    type: field(optional(oneOf(SendType.literals)), {
      description: "Default: `template` if one is given, else `text`."
    }),
    body: field(optionalText(100_000), { description: "The text." }),
    subject: field(optionalText(998), { description: "Of an email." }),
    template: field(optionalText(512), { description: "The template's name." }),
    language: field(optionalText(10), {
      description: "The template's language. Default: its only language, else the workspace's default."
    }),
    variables: field(optional(listOf(text(4_096), 100)), { description: "Values of the template's slots, in order." }),
    ...templatePartFields,
    content: field(optional(ContentInput), {
      description: "Required for the types `location`, `contacts`, `choices` and `reaction`."
    }),
    quoted: field(optional(uuid), {
      description: "Id of a message of the conversation that this one answers or reacts to; required for `reaction`."
    }),
    attachments: field(optional(listOf(ReplyFileInput, 30)), {
      description:
        "The files; required for the type `media`, whose `body` is the caption, and for a template whose header is a file."
    }),
    agentId: wire("agent_id", optional(uuid), { description: "The author: an active agent of the workspace." })
  },
  {
    text: { body: "It leaves today.", agent_id: sampleIds.agent },
    template: { template: "order_shipped", language: "en", variables: ["Ada", "1042"] }
  }
)
export type ReplyInput = typeof ReplyInput.Type

export const decodeReplyInput = partialDecode(ReplyInput)
