import { Schema } from "effect"
import { component, field, ids, wire } from "../../kernel/input/wire.js"
import { type Capabilities, Channel, type FileLimits } from "../../model/Channel.js"
import type { Connection } from "../../model/Connection.js"
import { MessageType, SendType } from "../../model/MessageContent.js"
import { maxFileBytes } from "./maxFileBytes.js"
import { maxFilesOfSend, sendTypes } from "./sendTypes.js"

const nullableNumber = Schema.NullOr(Schema.Number)

/** What a channel can do, on the wire (docs/reference/channels.md#capabilities). */
export const CapabilitiesResource = component("Capabilities", "What the channel can do.", {
  textMaxLength: wire("text_max_length", nullableNumber, {
    description: "Maximum length of a text in characters; null: no limit.",
    examples: [4_096]
  }),
  templates: field(Schema.Boolean, { examples: [true] }),
  deliveryReceipts: wire("delivery_receipts", Schema.Boolean, { examples: [true] }),
  readReceipts: wire("read_receipts", Schema.Boolean, { examples: [true] }),
  serviceWindowHours: wire("service_window_hours", nullableNumber, {
    description: "Hours after a customer's message in which free text is allowed; null: at any time.",
    examples: [24]
  }),
  types: field(Schema.Array(SendType), {
    description: "The values of `type` that `POST /messages` takes on the channel.",
    examples: [["text", "template", "media", "location", "choices", "reaction"]]
  }),
  receives: field(Schema.Array(MessageType), {
    description: "The values of `type` that messages of customers can have.",
    examples: [["text", "media", "location", "choice", "reaction", "unsupported"]]
  }),
  choices: field(
    Schema.NullOr(
      Schema.Struct({
        options: Schema.Number,
        questionLength: Schema.NullOr(Schema.Number).pipe(Schema.propertySignature, Schema.fromKey("question_length")),
        titleLength: Schema.Number.pipe(Schema.propertySignature, Schema.fromKey("title_length")),
        idLength: Schema.Number.pipe(Schema.propertySignature, Schema.fromKey("id_length")),
        descriptionLength: Schema.Number.pipe(Schema.propertySignature, Schema.fromKey("description_length")),
        buttonLength: Schema.Number.pipe(Schema.propertySignature, Schema.fromKey("button_length"))
      })
    ),
    {
      description:
        "Limits of the type `choices`: the number of options, and lengths in characters; null: that of a text; 0: not shown.",
      examples: [
        {
          options: 10,
          questionLength: 1_024,
          titleLength: 24,
          idLength: 200,
          descriptionLength: 72,
          buttonLength: 20
        }
      ]
    }
  ),
  files: field(
    Schema.NullOr(
      Schema.Struct({
        count: Schema.Number,
        perSend: Schema.Number.pipe(Schema.propertySignature, Schema.fromKey("per_send")),
        bytes: Schema.Number,
        bytesByType: Schema.Struct({
          image: Schema.Number,
          video: Schema.Number,
          audio: Schema.Number,
          document: Schema.Number
        }).pipe(Schema.propertySignature, Schema.fromKey("bytes_by_type")),
        types: Schema.NullOr(Schema.Array(Schema.String)),
        captionLength: Schema.NullOr(Schema.Number).pipe(Schema.propertySignature, Schema.fromKey("caption_length"))
      })
    ),
    {
      description:
        "Limits of the type `media`: the number of files in one message, and of a send, whose files become several messages if they are more; the size of each in bytes, at most, and by its type.",
      examples: [
        {
          count: 1,
          perSend: 10,
          bytes: 26_214_400,
          bytesByType: { image: 8_388_608, video: 26_214_400, audio: 26_214_400, document: 26_214_400 },
          types: null,
          captionLength: 1_024
        }
      ]
    }
  ),
  locationUrls: wire("location_urls", Schema.Boolean, {
    description: "Whether a location that is sent can have a `url`.",
    examples: [false]
  }),
  reactions: field(Schema.NullOr(Schema.Array(Schema.String)), {
    description: "The emoji that a `reaction` can have, where the channel takes the type; null: any emoji.",
    examples: [null]
  }),
  quotes: field(Schema.Boolean, { description: "Whether a send can quote a message.", examples: [true] }),
  typing: field(Schema.Boolean, {
    description: "Whether `POST /conversations/{id}/typing` shows the customer that the business types.",
    examples: [true]
  }),
  readMarks: wire("read_marks", Schema.Boolean, {
    description: "Whether `POST /conversations/{id}/read` shows the customer that the business has read the messages.",
    examples: [true]
  })
})

/** A connection as the applications see it that may use it (docs/reference/channels.md#channel-fields). */
export const ChannelResource = component(
  "Channel",
  "A connection that the application may send on and receives events of.",
  {
    id: ids.connection,
    channel: field(Channel, { examples: ["whatsapp"] }),
    name: field(Schema.String, { examples: ["Shop"] }),
    handle: field(Schema.String, { description: "The business's own handle.", examples: ["+4930123456"] }),
    status: field(Schema.Literal("active", "paused", "disconnected"), {
      description: "Only active connections can send."
    }),
    isTest: wire("is_test", Schema.Boolean),
    capabilities: CapabilitiesResource
  }
)

export const channelResource = (connection: Connection, capabilities: Capabilities): typeof ChannelResource.Type => ({
  ...connection,
  capabilities: capabilitiesResource(capabilities)
})

export const capabilitiesResource = (capabilities: Capabilities): typeof CapabilitiesResource.Type => ({
  ...capabilities,
  types: sendTypes(capabilities),
  receives: capabilities.receives ?? ["text"],
  choices: capabilities.choices ? { questionLength: null, buttonLength: 0, ...capabilities.choices } : null,
  files: capabilities.files ? filesResource(capabilities.files) : null,
  locationUrls: capabilities.locationUrls ?? false,
  reactions: capabilities.reactions ?? null,
  quotes: capabilities.quotes ?? false,
  typing: capabilities.typing ?? false,
  readMarks: capabilities.readMarks ?? false
})

const filesResource = (limits: FileLimits) => ({
  types: null,
  captionLength: null,
  ...limits,
  bytesByType: {
    image: maxFileBytes(limits, "image"),
    video: maxFileBytes(limits, "video"),
    audio: maxFileBytes(limits, "audio"),
    document: maxFileBytes(limits, "document")
  },
  perSend: maxFilesOfSend(limits)
})
