import { listOf, optional, optionalText, text, uuid } from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"

/** The body of `POST /conversations/{id}/messages` (docs/reference/conversations.md#agents-replies): a text, or a template where one is named. */
export const ReplyInput = component(
  "ReplyInput",
  "A reply of an agent: a text, or a template where one is named.",
  {
    body: field(optionalText(100_000), { description: "The text." }),
    subject: field(optionalText(998), { description: "Of an email." }),
    template: field(optionalText(512), { description: "The template's name." }),
    language: field(optionalText(10), {
      description: "The template's; its only one, else the workspace's default, where it is left out."
    }),
    variables: field(optional(listOf(text(4_096), 100)), { description: "The template's, in the order of its slots." }),
    agentId: wire("agent_id", optional(uuid), { description: "The author: an active agent of the workspace." })
  },
  {
    text: { body: "It leaves today.", agent_id: sampleIds.agent },
    template: { template: "order_shipped", language: "en", variables: ["Ada", "1042"] }
  }
)
export type ReplyInput = typeof ReplyInput.Type

export const decodeReplyInput = partialDecode(ReplyInput)
