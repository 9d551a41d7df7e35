import type { MessageContent } from "@parley/core"
import { Either, Schema } from "effect"
import type { VendorAnswer } from "../VendorServer.js"
import { badParameter, graphError, ok, unknownMedia } from "./graphAnswers.js"
import type { WhatsAppTemplate } from "./WhatsAppBusiness.js"

const number = Schema.String.pipe(Schema.pattern(/^\+?[0-9]{7,15}$/))
const userId = Schema.String.pipe(Schema.pattern(/^[A-Z]{2}\.[A-Za-z0-9]{1,128}$/))
const parameter = Schema.Struct({
  type: Schema.Literal("text"),
  parameter_name: Schema.optional(Schema.NonEmptyString),
  text: Schema.NonEmptyString
})

const common = {
  messaging_product: Schema.Literal("whatsapp"),
  recipient_type: Schema.optional(Schema.Literal("individual")),
  to: Schema.optional(number),
  recipient: Schema.optional(userId),
  biz_opaque_callback_data: Schema.optional(Schema.String.pipe(Schema.maxLength(512)))
}
const short = (max: number) => Schema.NonEmptyString.pipe(Schema.filter((text) => [...text].length <= max))
const media = { id: Schema.NonEmptyString, caption: Schema.optional(short(1_024)) }
const differ = (texts: ReadonlyArray<string>): boolean => new Set(texts).size === texts.length
const option = Schema.Struct({ id: short(256), title: short(20) })
const row = Schema.Struct({ id: short(200), title: short(24), description: Schema.optional(short(72)) })
const quoting = { ...common, context: Schema.optional(Schema.Struct({ message_id: Schema.NonEmptyString })) }
const interactiveBody = Schema.Struct({ text: short(1_024) })

const Button = {
  type: Schema.Literal("button"),
  index: Schema.String.pipe(Schema.pattern(/^\d$/))
}

const thumbnail = { thumbnail_product_retailer_id: Schema.NonEmptyString }
const products = Schema.Struct({
  title: Schema.optional(short(24)),
  product_items: Schema.NonEmptyArray(Schema.Struct({ product_retailer_id: Schema.NonEmptyString })).pipe(
    Schema.maxItems(30)
  )
})

const cardComponent = Schema.Union(
  Schema.Struct({ type: Schema.Literal("body"), parameters: Schema.NonEmptyArray(parameter) }),
  Schema.Struct({
    type: Schema.Literal("header"),
    parameters: Schema.Tuple(
      Schema.Union(
        parameter,
        Schema.Struct({ type: Schema.Literal("image"), image: Schema.Struct({ id: media.id }) }),
        Schema.Struct({ type: Schema.Literal("video"), video: Schema.Struct({ id: media.id }) }),
        Schema.Struct({
          type: Schema.Literal("product"),
          product: Schema.Struct({ product_retailer_id: Schema.NonEmptyString, catalog_id: Schema.NonEmptyString })
        }),
        Schema.Struct({
          type: Schema.Literal("document"),
          document: Schema.Struct({ id: media.id, filename: Schema.optional(Schema.NonEmptyString) })
        })
      )
    )
  }),
  Schema.Struct({ ...Button, sub_type: Schema.Literal("url"), parameters: Schema.Tuple(parameter) }),
  Schema.Struct({
    ...Button,
    sub_type: Schema.Literal("quick_reply"),
    parameters: Schema.Tuple(Schema.Struct({ type: Schema.Literal("payload"), payload: Schema.NonEmptyString }))
  })
)

const templateComponent = Schema.Union(
  cardComponent,
  Schema.Struct({
    type: Schema.Literal("carousel"),
    cards: Schema.NonEmptyArray(
      Schema.Struct({ card_index: Schema.Int, components: Schema.NonEmptyArray(cardComponent) })
    )
  }),
  Schema.Struct({
    ...Button,
    sub_type: Schema.Literal("CATALOG"),
    parameters: Schema.Tuple(Schema.Struct({ type: Schema.Literal("action"), action: Schema.Struct(thumbnail) }))
  }),
  Schema.Struct({
    ...Button,
    sub_type: Schema.Literal("mpm"),
    parameters: Schema.Tuple(
      Schema.Struct({
        type: Schema.Literal("action"),
        action: Schema.Struct({
          ...thumbnail,
          sections: Schema.NonEmptyArray(products).pipe(
            Schema.maxItems(10),
            Schema.filter((sections) => sections.length === 1 || sections.every(({ title }) => title !== undefined))
          )
        })
      })
    )
  }),
  Schema.Struct({
    ...Button,
    sub_type: Schema.Literal("copy_code"),
    parameters: Schema.Tuple(Schema.Struct({ type: Schema.Literal("coupon_code"), coupon_code: Schema.NonEmptyString }))
  })
)

const Message = Schema.Union(
  Schema.Struct({
    ...quoting,
    type: Schema.Literal("text"),
    text: Schema.Struct({ body: Schema.NonEmptyString, preview_url: Schema.optional(Schema.Boolean) })
  }),
  Schema.Struct({
    ...common,
    type: Schema.Literal("template"),
    template: Schema.Struct({
      name: Schema.NonEmptyString,
      language: Schema.Struct({ code: Schema.NonEmptyString }),
      components: Schema.optional(Schema.NonEmptyArray(templateComponent))
    })
  }),
  Schema.Struct({ ...quoting, type: Schema.Literal("image"), image: Schema.Struct(media) }),
  Schema.Struct({ ...quoting, type: Schema.Literal("video"), video: Schema.Struct(media) }),
  Schema.Struct({ ...quoting, type: Schema.Literal("audio"), audio: Schema.Struct({ id: media.id }) }),
  Schema.Struct({
    ...quoting,
    type: Schema.Literal("document"),
    document: Schema.Struct({ ...media, filename: Schema.optional(Schema.NonEmptyString) })
  }),
  Schema.Struct({
    ...quoting,
    type: Schema.Literal("location"),
    location: Schema.Struct({
      latitude: Schema.Number,
      longitude: Schema.Number,
      name: Schema.optional(Schema.NonEmptyString),
      address: Schema.optional(Schema.NonEmptyString)
    })
  }),
  Schema.Struct({
    ...quoting,
    type: Schema.Literal("contacts"),
    contacts: Schema.NonEmptyArray(
      Schema.Struct({
        name: Schema.Struct({ formatted_name: Schema.NonEmptyString, first_name: Schema.NonEmptyString }),
        org: Schema.optional(Schema.Struct({ company: Schema.NonEmptyString })),
        phones: Schema.optional(Schema.NonEmptyArray(Schema.Struct({ phone: Schema.NonEmptyString }))),
        emails: Schema.optional(Schema.NonEmptyArray(Schema.Struct({ email: Schema.NonEmptyString })))
      })
    )
  }),
  Schema.Struct({
    ...quoting,
    type: Schema.Literal("interactive"),
    interactive: Schema.Union(
      Schema.Struct({
        type: Schema.Literal("button"),
        body: interactiveBody,
        action: Schema.Struct({
          buttons: Schema.NonEmptyArray(Schema.Struct({ type: Schema.Literal("reply"), reply: option })).pipe(
            Schema.maxItems(3),
            Schema.filter((buttons) => differ(buttons.map(({ reply }) => reply.id))),
            Schema.filter((buttons) => differ(buttons.map(({ reply }) => reply.title)))
          )
        })
      }),
      Schema.Struct({
        type: Schema.Literal("list"),
        body: interactiveBody,
        action: Schema.Struct({
          button: short(20),
          sections: Schema.Tuple(
            Schema.Struct({
              rows: Schema.NonEmptyArray(row).pipe(
                Schema.maxItems(10),
                Schema.filter((rows) => differ(rows.map(({ id }) => id)))
              )
            })
          )
        })
      })
    )
  }),
  Schema.Struct({
    ...common,
    type: Schema.Literal("reaction"),
    reaction: Schema.Struct({ message_id: Schema.NonEmptyString, emoji: Schema.String })
  })
).annotations({ parseOptions: { onExcessProperty: "error" } })
type Message = typeof Message.Type

const readMessage = Schema.decodeUnknownEither(Schema.parseJson(Message))

/** A message that the fake accepted. */
export interface WhatsAppTaken {
  readonly id: string
  /** In Meta's spelling: a number without plus, or a business-scoped id. */
  readonly to: string
  /** The text, question or caption; null for a template and for content without a text. */
  readonly text: string | null
  /** Of a location, contacts, choices and a reaction. */
  readonly content: MessageContent | null
  /** The message that it answers or reacts to. */
  readonly quoted: string | null
  readonly file: WhatsAppUpload | null
  readonly message: Message
}

/** A file that the business uploaded. */
export interface WhatsAppUpload {
  readonly contentType: string
  readonly fileName: string
  readonly bytes: Uint8Array
  /** The number that it was uploaded for. */
  readonly phoneNumberId: string
}

/** Meta's response to a message, and the message if accepted. */
export const takeMessage = (
  json: string,
  templates: ReadonlyArray<WhatsAppTemplate>,
  uploads: ReadonlyMap<string, WhatsAppUpload>,
  id: string
): { readonly answer: VendorAnswer; readonly taken: WhatsAppTaken | null } => {
  const message = readMessage(json)
  const problem = Either.isLeft(message)
    ? badParameter("not of a message's shape")
    : problemOf(message.right, templates, uploads)
  if (Either.isLeft(message) || problem !== null) return { answer: problem ?? badParameter("no message"), taken: null }
  const { recipient, to } = message.right
  const named = to?.replace("+", "") ?? recipient ?? ""
  return {
    answer: ok({
      messaging_product: "whatsapp",
      contacts: [{ input: to ?? recipient, ...(to === undefined ? { user_id: named } : { wa_id: named }) }],
      messages: [{ id, ...(message.right.type === "template" ? { message_status: "accepted" } : {}) }]
    }),
    taken: {
      id,
      to: named,
      text: textOf(message.right),
      content: contentOf(message.right),
      quoted: quotedBy(message.right),
      file: uploads.get(mediaOf(message.right)?.id ?? "") ?? null,
      message: message.right
    }
  }
}

const mediaOf = (message: Message): { readonly id: string; readonly caption?: string | undefined } | null => {
  switch (message.type) {
    case "image":
      return message.image
    case "video":
      return message.video
    case "audio":
      return message.audio
    case "document":
      return message.document
    default:
      return null
  }
}

const textOf = (message: Message): string | null => {
  if (message.type === "text") return message.text.body
  if (message.type === "interactive") return message.interactive.body.text
  return mediaOf(message)?.caption ?? null
}

const quotedBy = (message: Message): string | null => {
  if (message.type === "reaction") return message.reaction.message_id
  return "context" in message ? (message.context?.message_id ?? null) : null
}

const contentOf = (message: Message): MessageContent | null => {
  switch (message.type) {
    case "location": {
      const { address = null, latitude, longitude, name = null } = message.location
      return { type: "location", latitude, longitude, name, address, url: null }
    }
    case "contacts":
      return {
        type: "contacts",
        contacts: message.contacts.map(({ emails = [], name, org, phones = [] }) => ({
          name: name.formatted_name,
          organization: org?.company ?? null,
          phones: phones.map(({ phone }) => phone),
          emails: emails.map(({ email }) => email)
        }))
      }
    case "interactive": {
      const { interactive } = message
      return interactive.type === "button"
        ? {
            type: "choices",
            button: null,
            options: interactive.action.buttons.map(({ reply }) => ({ ...reply, description: null }))
          }
        : {
            type: "choices",
            button: interactive.action.button,
            options: interactive.action.sections[0].rows.map(({ description = null, ...row }) => ({
              ...row,
              description
            }))
          }
    }
    case "reaction":
      return { type: "reaction", emoji: message.reaction.emoji === "" ? null : message.reaction.emoji }
    default:
      return null
  }
}

/** Meta refuses options with equal ids. */
const hasEqualIds = (content: MessageContent | null): boolean =>
  content?.type === "choices" && new Set(content.options.map(({ id }) => id)).size < content.options.length

const problemOf = (
  message: Message,
  templates: ReadonlyArray<WhatsAppTemplate>,
  uploads: ReadonlyMap<string, WhatsAppUpload>
): VendorAnswer | null => {
  if ((message.to === undefined) === (message.recipient === undefined)) return badParameter("one of to and recipient")
  if (message.type === "text") {
    return [...message.text.body].length > 4_096
      ? badParameter("Param text must be at most 4096 characters long.")
      : null
  }
  const media = mediaOf(message)
  if (media !== null && !uploads.has(media.id)) return unknownMedia(`${message.type}['id']`)
  if (hasEqualIds(contentOf(message))) return badParameter("options have equal ids")
  if (message.type !== "template") return null
  const { components, language, name } = message.template
  const template = templates.find((one) => one.name === name && one.language === language.code)
  if (template === undefined)
    return graphError({ code: 132001, status: 404, message: "(#132001) Template does not exist" })
  if (template.status !== "APPROVED") return graphError({ code: 132015, message: "(#132015) Template is paused" })
  return problemOfParameters(components ?? [], template, uploads)
}

type Components = ReadonlyArray<typeof templateComponent.Type>

const slotsOf = (text = ""): ReadonlyArray<string> =>
  [...new Set(text.match(/\{\{\w+\}\}/g))].map((slot) => slot.slice(2, -2))

/** Whether what the header takes is given: nothing, a text, or an uploaded file of its format. */
const fitsHeader = (
  given: Components[number] | undefined,
  header: WhatsAppTemplate["components"][number] | undefined,
  isNamed: boolean,
  uploads: ReadonlyMap<string, WhatsAppUpload>
): boolean => {
  const parameter = given?.type === "header" ? given.parameters[0] : undefined
  if (header === undefined || (header.format === "TEXT" && slotsOf(header.text).length === 0))
    return given === undefined
  switch (parameter?.type) {
    case "text":
      return header.format === "TEXT" && parameter.parameter_name === (isNamed ? slotsOf(header.text)[0] : undefined)
    case "image":
      return header.format === "IMAGE" && uploads.has(parameter.image.id)
    case "video":
      return header.format === "VIDEO" && uploads.has(parameter.video.id)
    case "product":
      return header.format === "PRODUCT"
    case "document":
      return header.format === "DOCUMENT" && uploads.has(parameter.document.id)
    default:
      return false
  }
}

type TemplateComponents = WhatsAppTemplate["components"]

/** The buttons that take a parameter, as `<index> <sub_type>`. A reply needs none outside of cards. */
const buttonsOf = (components: TemplateComponents, isCard: boolean): ReadonlyArray<string> => {
  const buttons = components.find(({ type }) => type === "BUTTONS")?.buttons
  return (Array.isArray(buttons) ? buttons : []).flatMap(({ type, url }, index) => {
    if (type === "COPY_CODE") return [`${index} copy_code`]
    if (type === "MPM") return [`${index} mpm`]
    if (type === "QUICK_REPLY" && isCard) return [`${index} quick_reply`]
    return type === "OTP" || slotsOf(url).length > 0 ? [`${index} url`] : []
  })
}

const problemOfParameters = (
  components: Components,
  template: WhatsAppTemplate,
  uploads: ReadonlyMap<string, WhatsAppUpload>
): VendorAnswer | null => {
  if (headerMedia(components).some((id) => !uploads.has(id))) return unknownMedia("template['components']")
  const cards = components.flatMap((one) => (one.type === "carousel" ? one.cards : []))
  const carousel = template.components.find(({ type }) => type === "CAROUSEL")?.cards
  const described: ReadonlyArray<{ readonly components: TemplateComponents }> = Array.isArray(carousel) ? carousel : []
  const [first] = described
  const showsProducts = first?.components.some(({ format }) => format === "PRODUCT") === true
  // The cards of products are alike, and a message has 2 to 10 of them.
  const wanted = showsProducts && cards.length >= 2 && cards.length <= 10 ? cards.map(() => first) : described
  const isNamed = template.parameter_format === "NAMED"
  const problems = [
    problemOfPart(components, template.components, isNamed, uploads, false),
    ...wanted.map(({ components }, i) => problemOfPart(cards[i]?.components ?? [], components, isNamed, uploads, true))
  ]
  const found = problems.find((problem) => problem !== null)
  if (found !== undefined) return found
  return cards.length === wanted.length && cards.every(({ card_index }, i) => card_index === i) ? null : wrongFormat
}

const wrongFormat = graphError({ code: 132012, message: "(#132012) Parameter format does not match" })

/** The files in the headers of a template and of its cards. */
const headerMedia = (components: Components): ReadonlyArray<string> =>
  components.flatMap((component) => {
    if (component.type === "carousel") return component.cards.flatMap((card) => headerMedia(card.components))
    const [parameter] = component.type === "header" ? component.parameters : []
    switch (parameter?.type) {
      case "image":
        return [parameter.image.id]
      case "video":
        return [parameter.video.id]
      case "document":
        return [parameter.document.id]
      default:
        return []
    }
  })

/** The problem of the parameters of a template around its cards, or of one of its cards. */
const problemOfPart = (
  components: Components,
  template: TemplateComponents,
  isNamed: boolean,
  uploads: ReadonlyMap<string, WhatsAppUpload>,
  isCard: boolean
): VendorAnswer | null => {
  const of = (wanted: string) => template.find(({ type }) => type === wanted)
  const body = components.find(({ type }) => type === "body")
  const texts = body?.type === "body" ? body.parameters : []
  const slots = slotsOf(of("BODY")?.text)
  if (texts.length !== slots.length) {
    return graphError({ code: 132000, message: "(#132000) Number of parameters does not match" })
  }
  const names = texts.map(({ parameter_name }) => parameter_name)
  const hasCatalog = JSON.stringify(of("BUTTONS") ?? null).includes('"CATALOG"')
  const buttons = components.flatMap((one) => {
    if (one.type !== "button") return []
    // The thumbnail of a catalogue may be left out.
    return one.sub_type === "CATALOG" && hasCatalog ? [] : [`${one.index} ${one.sub_type}`]
  })
  const areNamed = isNamed ? names.join() === slots.join() : names.every((name) => !name)
  const header = components.find(({ type }) => type === "header")
  if (
    !areNamed ||
    !fitsHeader(header, of("HEADER"), isNamed, uploads) ||
    buttons.join() !== buttonsOf(template, isCard).join()
  ) {
    return wrongFormat
  }
  return texts.some(({ text }) => /[\n\t]| {5}/.test(text))
    ? graphError({ code: 132018, message: "(#132018) There is an issue with the parameters in the template" })
    : null
}
