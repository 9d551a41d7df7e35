import { Schema } from "effect"
import {
  channelName,
  listOf,
  oneOf,
  optional,
  optionalText,
  requiredText,
  text,
  uuid
} from "../../kernel/input/Fields.js"
import { partialDecode } from "../../kernel/input/PartialDecode.js"
import { sampleIds, samples } from "../../kernel/input/samples.js"
import { component, field, wire } from "../../kernel/input/wire.js"
import { SendType } from "../../model/MessageContent.js"
import { ContentInput, SentFileInput, templatePartFields } from "./ContentInput.js"

/**
 * The body of `POST /messages` (docs/reference/messages.md#sending-a-message). Which of `message`'s fields are needed
 * depends on `type`.
 */
export const SendMessageInput = component(
  "SendMessageInput",
  "A message to send: its recipient, and a text or a template.",
  {
    channel: field(channelName, {
      description:
        "One of the channels in `GET /channels`: `whatsapp`, `telegram`, `email`, `webchat`, `instagram`, `facebook`, or another one of the deployment.",
      examples: ["whatsapp"]
    }),
    to: field(requiredText(255), {
      description:
        "The handle on the channel: a phone number in E.164 for WhatsApp, an address for email, the conversation's id for a web chat visitor. An unknown handle creates the contact and the conversation."
    }),
    type: field(oneOf(SendType.literals), {
      description:
        "One of the `types` in the channel's capabilities. `choices` are numbered text on channels with texts and without choices."
    }),
    externalReference: wire("external_reference", optionalText(255), {
      description: "Your own reference, repeated in the acknowledgement and on every event of the message."
    }),
    connectionId: wire("connection_id", optional(uuid), {
      description:
        "One of `GET /channels`. Default: that of the newest conversation with the handle, else the oldest on the channel."
    }),
    message: Schema.Struct({
      body: field(optionalText(100_000), {
        description: "The text, question or caption; required for the types `text` and `choices`."
      }),
      subject: field(optionalText(998), { description: "For email." }),
      template: field(optionalText(512), { description: "The template's name; required if `type` is `template`." }),
      language: field(optionalText(10), {
        description: "Default: the template's only language, else the workspace's default."
      }),
      variables: field(optional(listOf(text(4_096), 100)), {
        description: "The values of the template's slots, in order."
      }),
      ...templatePartFields,
      content: field(optional(ContentInput), {
        description: "Required for the types `location`, `contacts`, `choices` and `reaction`."
      }),
      quoted: field(optional(uuid), {
        description: "Id of a message of the conversation that this one answers or reacts to; required for `reaction`."
      }),
      automatic: field(optional(Schema.Boolean), {
        description:
          "Whether a program wrote it, as an answer to the customer's message. Emails are marked, so that programs do not answer them."
      }),
      attachments: field(optional(listOf(SentFileInput, 30)), {
        description:
          "The files; required for the type `media`, whose `body` is the caption, and for a template whose header is a file."
      })
    })
  },
  {
    template: {
      channel: "whatsapp",
      to: samples.phone,
      type: "template",
      external_reference: samples.order,
      message: { template: "order_shipped", language: "en", variables: ["Ada", "1042"] }
    },
    text: {
      channel: "whatsapp",
      to: samples.phone,
      type: "text",
      connection_id: sampleIds.connection,
      message: { body: samples.text }
    },
    choices: {
      channel: "whatsapp",
      to: samples.phone,
      type: "choices",
      message: {
        body: "Is Tuesday fine?",
        content: {
          options: [
            { id: "yes", title: "Yes" },
            { id: "no", title: "No" }
          ]
        }
      }
    }
  }
)
export type SendMessageInput = typeof SendMessageInput.Type

export const decodeSendMessageInput = partialDecode(SendMessageInput)
