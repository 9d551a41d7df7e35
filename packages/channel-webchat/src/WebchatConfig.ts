import {
  days,
  given,
  listOf,
  oneOf,
  optional,
  parseUrl,
  requiredText,
  timeOfDay,
  withMessage,
  zoneNamed
} from "@parley/core"
import { Option, Schema } from "effect"
import { catalogue } from "./catalogue.js"
import type { Labels } from "./Labels.js"

/** Whether the text is an `Origin` as browsers send it for a web page. */
const isOrigin = (text: string): boolean => /^https?:/.test(text) && parseUrl(text)?.origin === text

const origin = Schema.String.pipe(
  Schema.filter((text) => text === "*" || isOrigin(text)),
  withMessage(
    "must be an origin as browsers send it, such as https://shop.example: without a path, in lower case, a name with other letters as xn--…; or *"
  ),
  Schema.annotations({ jsonSchema: { type: "string", examples: ["https://shop.example"] } })
)

const color = Schema.String.pipe(
  Schema.filter((text) => /^#[0-9a-f]{6}$/i.test(text)),
  withMessage("must be a colour such as #0b57d0"),
  Schema.annotations({ jsonSchema: { type: "string", pattern: "^#[0-9a-fA-F]{6}$", examples: ["#0b57d0"] } })
)

const mediaType = Schema.String.pipe(
  Schema.pattern(/^[a-z0-9][a-z0-9!#$&^_.+-]{0,62}\/([a-z0-9][a-z0-9!#$&^_.+-]{0,62}|\*)$/),
  withMessage("must be a media type in lower case, such as image/png or image/*"),
  Schema.annotations({ jsonSchema: { type: "string", examples: ["image/*", "application/pdf"] } })
)

/** The fields that a form before the chat can ask for. */
export const preChatFields = ["name", "email", "phone"] as const

const timeZone = Schema.String.pipe(
  Schema.filter((name) => Option.isSome(zoneNamed(name))),
  withMessage("must be a time zone of the IANA list such as Europe/Berlin"),
  Schema.annotations({ jsonSchema: { type: "string", examples: ["Europe/Berlin"] } })
)

const endOfHours = Schema.Union(Schema.Literal("24:00"), timeOfDay).annotations({
  jsonSchema: { type: "string", pattern: "^(([01][0-9]|2[0-3]):[0-5][0-9]|24:00)$", examples: ["17:00"] }
})

const OfficeHoursConfig = Schema.Struct({
  timeZone: timeZone.pipe(Schema.propertySignature, Schema.fromKey("time_zone")),
  hours: listOf(
    Schema.Struct({ days, from: timeOfDay, to: endOfHours.pipe(withMessage("must be a time such as 17:00")) }).pipe(
      Schema.filter(({ from, to }) => from < to),
      withMessage("must end after its beginning, on the same day")
    ),
    21,
    1
  )
})

const label = (key: keyof Labels) =>
  given(requiredText(100)).annotations({ description: `Default, in English: ${catalogue.en[key]}` })

const LabelsConfig = Schema.Struct({
  open: label("open"),
  close: label("close"),
  message: label("message"),
  send: label("send"),
  earlier: label("earlier"),
  connecting: label("connecting"),
  offline: label("offline"),
  sending: label("sending"),
  retry: label("retry"),
  unread: label("unread"),
  you: label("you"),
  reply: label("reply"),
  cancel: label("cancel"),
  typing: label("typing"),
  attach: label("attach"),
  file: label("file"),
  refused: label("refused"),
  emoji: label("emoji"),
  seen: label("seen"),
  name: label("name"),
  email: label("email"),
  phone: label("phone"),
  start: label("start"),
  closed: label("closed")
})

/** The `config` of a web chat connection. */
export const WebchatConfig = Schema.Struct({
  allowedOrigins: Schema.optionalWith(listOf(origin, 50), { default: () => [] })
    .annotations({
      title: "Allowed origins",
      description:
        "The sites whose pages may have the chat, by origin; * is any. None: only pages of the address at which Parley itself is served."
    })
    .pipe(Schema.fromKey("allowed_origins")),
  title: optional(requiredText(60)).annotations({
    title: "Title",
    description: "What the chat is called on the page. Default: the connection's name."
  }),
  greeting: optional(requiredText(500)).annotations({
    title: "Greeting",
    description: "What a visitor reads first."
  }),
  accentColor: optional(color)
    .annotations({ title: "Accent colour", description: "The colour of the button and of the visitor's own messages." })
    .pipe(Schema.fromKey("accent_color")),
  fileTypes: optional(listOf(mediaType, 50))
    .annotations({
      title: "File types",
      description:
        "The media types of files that visitors may send; image/* is every image. None: visitors send no files. Default: images, sound, films, texts, PDF, ZIP and office documents."
    })
    .pipe(Schema.fromKey("file_types")),
  agentNames: Schema.optionalWith(Schema.Boolean, { default: () => true })
    .annotations({ title: "Agent names", description: "Whether visitors see the names of the agents who answer." })
    .pipe(Schema.fromKey("agent_names")),
  preChat: optional(listOf(oneOf(preChatFields), 3))
    .annotations({
      title: "Form before the chat",
      description: "What an anonymous visitor fills in before the first message. Default: nothing."
    })
    .pipe(Schema.fromKey("pre_chat")),
  officeHours: optional(OfficeHoursConfig)
    .annotations({
      title: "Office hours",
      description: "Outside of them, the chat says that it is closed. Default: it never says so."
    })
    .pipe(Schema.fromKey("office_hours")),
  sound: Schema.optionalWith(Schema.Boolean, { default: () => true }).annotations({
    title: "Sound",
    description: "Whether a message sounds while the visitor does not look at the chat."
  }),
  labels: Schema.optionalWith(LabelsConfig, { default: () => ({}) }).annotations({
    title: "Labels",
    description: "Words of the widget in place of its own, whatever the visitor's language is."
  })
}).annotations({ identifier: "WebchatConfig" })
export type WebchatConfig = typeof WebchatConfig.Type
