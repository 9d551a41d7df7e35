import { Schema } from "effect"
import {
  listOf,
  optional,
  optionalText,
  requiredText,
  shapeOf,
  text,
  uuid,
  withMessage
} from "../../kernel/input/Fields.js"
import { type PartialDecode, partialDecode } from "../../kernel/input/PartialDecode.js"
import { field, wire } from "../../kernel/input/wire.js"
import type { ContentOf, SendType } from "../../model/MessageContent.js"
import { contentTypeOf, unknownContentType } from "../attachments/describeFile.js"

/** The types whose send has `message.content`. */
export type ContentType = Exclude<SendType, "text" | "template" | "media">

/** A media type without parameters. */
export const mediaType = Schema.String.pipe(
  Schema.filter((value) => contentTypeOf(value) === value || value === unknownContentType, {
    jsonSchema: { type: "string", maxLength: 127 }
  }),
  withMessage("must be a media type such as image/png, in lower case and without parameters")
)

const degrees = (limit: number): Schema.Schema<number> =>
  Schema.Number.pipe(
    Schema.between(-limit, limit),
    Schema.annotations({ jsonSchema: { type: "number", minimum: -limit, maximum: limit } }),
    withMessage(`must be a number from -${limit} to ${limit}`)
  )

/** `message.content` of a send by type: `content` of a message, without `type` and with fields that may be left out. */
export const contentInputs = {
  location: Schema.Struct({
    latitude: degrees(90),
    longitude: degrees(180),
    name: optionalText(1_000),
    address: optionalText(1_000),
    url: optionalText(2_048)
  }).annotations({ description: "A location." }),
  contacts: Schema.Struct({
    contacts: listOf(
      Schema.Struct({
        name: requiredText(255),
        organization: optionalText(255),
        phones: optional(listOf(requiredText(100), 20)),
        emails: optional(listOf(requiredText(255), 20))
      }),
      20,
      1
    )
  }).annotations({ description: "Contact cards." }),
  choices: Schema.Struct({
    options: listOf(
      Schema.Struct({ id: requiredText(255), title: requiredText(255), description: optionalText(255) }),
      100,
      1
    ),
    button: optionalText(255)
  }).annotations({ description: "A question with options; `body` is the question." }),
  reaction: Schema.Struct({ emoji: optionalText(32) }).annotations({
    description: "A reaction to the message in `quoted`; without an emoji it takes the reaction back."
  })
} as const satisfies { readonly [T in ContentType]: Schema.Schema.Any }

/** `message.content` of any type, decoded by {@link decodeContent} once the type is known. */
export const ContentInput: Schema.Schema<Fields> = Schema.Record({ key: Schema.String, value: Schema.Unknown }).pipe(
  withMessage("must be an object"),
  Schema.annotations({ jsonSchema: { type: "object", anyOf: Object.values(contentInputs).map(shapeOf) } })
)

const fileFields = {
  contentType: Schema.optionalWith(mediaType, { default: () => unknownContentType }).pipe(
    Schema.fromKey("content_type")
  ),
  fileName: optional(text(255)).pipe(Schema.fromKey("file_name"))
}

const fileUrl = "An https URL that is valid for a day, without redirects to http."

/** A file of a workflow or a bot: it is fetched from `url` before the message is handed over. */
export const FileInput = Schema.Struct({
  url: requiredText(2_048).annotations({ description: fileUrl }),
  ...fileFields
})

const fileOrUpload = (upload: string) =>
  Schema.Struct({
    url: field(optionalText(2_048), { description: `${fileUrl} Required without \`attachment_id\`.` }),
    attachmentId: wire("attachment_id", optional(uuid), { description: `${upload} Its bytes decide its type.` }),
    ...fileFields
  })

/** A file of a send, which has either `url` or `attachment_id` (docs/reference/content.md#sending-files). */
export const SentFileInput = fileOrUpload("An upload of this application (`POST /attachments`).")

/** A file of an agent's reply, which has either `url` or `attachment_id`. */
export const ReplyFileInput = fileOrUpload(
  "An upload of the conversation's workspace (`POST /attachments` of the administration)."
)

/** The values of a card of a template message. */
export const CardInput = Schema.Struct({
  product: optional(Schema.Struct({ catalog: requiredText(100), id: requiredText(100) })),
  variables: optional(listOf(text(4_096), 100)),
  buttonVariables: optional(listOf(requiredText(2_000), 10)).pipe(Schema.fromKey("button_variables"))
})

/** The products of a button of a template message. */
export const ProductsInput = Schema.Struct({
  thumbnail: optionalText(100),
  sections: optional(listOf(Schema.Struct({ title: optionalText(24), items: listOf(requiredText(100), 30, 1) }), 10, 1))
})

/** The fields of a send that fill the parts of a template around its body (docs/reference/templates.md#parts). */
export const templatePartFields = {
  headerVariable: wire("header_variable", optionalText(60), {
    description: "The value of the slot in the header of the template; required if it has one."
  }),
  buttonVariables: wire("button_variables", optional(listOf(requiredText(2_000), 10)), {
    description:
      "The values of the template's buttons whose URL has a slot or that copy a code, in order; required if it has such buttons."
  }),
  cards: field(optional(listOf(CardInput, 10)), {
    description:
      "The values of the template's cards, in order: the product of a card that shows one (`id` in the `catalog`), those of the slots in the text of a card, and one for each of its buttons that is a reply (the id of the choice) or whose URL has a slot."
  }),
  products: field(optional(ProductsInput), {
    description:
      "For a template whose button shows products: their ids in sections, and the one whose image heads the message (default: the first). For a button that opens the catalogue: that one only."
  })
}

type Fields = { readonly [field: string]: unknown }

const decodeLocation = partialDecode(contentInputs.location)
const decodeContacts = partialDecode(contentInputs.contacts)
const decodeChoices = partialDecode(contentInputs.choices)
const decodeReaction = partialDecode(contentInputs.reaction)

/** The content of a send of this type, or its problems by field. */
export const decodeContent = (
  type: ContentType,
  fields: Fields
): { readonly content: ContentOf<ContentType> | null; readonly problems: PartialDecode<unknown>["problems"] } => {
  switch (type) {
    case "location":
      return decoded(decodeLocation(fields), (location) => ({ type, ...location }))
    case "contacts":
      return decoded(decodeContacts(fields), ({ contacts }) => ({
        type,
        contacts: contacts.map((one) => ({ ...one, phones: one.phones ?? [], emails: one.emails ?? [] }))
      }))
    case "choices":
      return decoded(decodeChoices(fields), (choices) => ({ type, ...choices }))
    case "reaction":
      return decoded(decodeReaction(fields), (reaction) => ({ type, ...reaction }))
  }
}

const decoded = <A, C>({ problems, value }: PartialDecode<A>, content: (value: A) => C) => ({
  content: Object.keys(problems).length > 0 ? null : content(value as A),
  problems
})
