import type { ContentOf, MessageContent, OutboundMessage } from "@parley/core"

/** A file that Meta has stored, with how it is shown. */
export interface UploadedFile {
  readonly kind: "image" | "video" | "audio" | "document"
  /** The media id. */
  readonly id: string
  readonly fileName: string | null
}

/**
 * The request body of a message (docs/reference/whatsapp.md#send-request). Statuses return `biz_opaque_callback_data`,
 * so that a message whose answer was lost is still recognised.
 */
export const messageBody = (message: OutboundMessage, files: ReadonlyArray<UploadedFile>): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  // With the plus: without it, Meta may read the number as one of the business's own country.
  ...(message.to.startsWith("+") ? { to: message.to } : { recipient: message.to }),
  // A reaction names its message itself.
  ...(message.quoted == null || message.content?.type === "reaction"
    ? {}
    : { context: { message_id: message.quoted } }),
  ...typedBody(message, files),
  biz_opaque_callback_data: message.id
})

const typedBody = (
  { body, content = null, quoted, template }: OutboundMessage,
  files: ReadonlyArray<UploadedFile>
): object => {
  if (template !== null) return { type: "template", template: templateBody(template, content, files) }
  const [file] = files
  if (file !== undefined) return { type: file.kind, [file.kind]: fileBody(file, body) }
  return content === null ? { type: "text", text: { body, preview_url: false } } : contentBody(content, body, quoted)
}

/** Audio has no caption: a file with one is uploaded as a document. */
const fileBody = ({ fileName, id, kind }: UploadedFile, caption: string): object => ({
  id,
  ...(caption === "" ? {} : { caption }),
  ...(kind === "document" && fileName !== null ? { filename: fileName } : {})
})

const contentBody = (content: MessageContent, body: string, quoted: string | null | undefined): object => {
  switch (content.type) {
    case "location": {
      const { address, latitude, longitude, name } = content
      return { type: "location", location: { latitude, longitude, ...defined({ name, address }) } }
    }
    case "contacts":
      return { type: "contacts", contacts: content.contacts.map(contactBody) }
    case "choices":
      return { type: "interactive", interactive: choicesBody(content, body) }
    case "reaction":
      // An empty emoji takes the reaction back.
      return { type: "reaction", reaction: { message_id: quoted ?? "", emoji: content.emoji ?? "" } }
    default:
      return { type: "text", text: { body, preview_url: false } }
  }
}

const contactBody = ({ emails, name, organization, phones }: ContentOf<"contacts">["contacts"][number]): object => ({
  // Meta requires one part of the name beside the whole.
  name: { formatted_name: name, first_name: name },
  ...(organization === null ? {} : { org: { company: organization } }),
  ...(phones.length === 0 ? {} : { phones: phones.map((phone) => ({ phone })) }),
  ...(emails.length === 0 ? {} : { emails: emails.map((email) => ({ email })) })
})

/** Maximum number of reply buttons. */
const maxButtons = 3

/** Reply buttons show no second line and have distinct titles: other options are sent as a list. */
const choicesBody = ({ button, options }: ContentOf<"choices">, question: string): object => {
  const titles = new Set(options.map(({ title }) => title))
  const fitButtons = titles.size === options.length && options.every(({ description }) => description === null)
  if (options.length <= maxButtons && fitButtons) {
    const buttons = options.map(({ id, title }) => ({ type: "reply", reply: { id, title } }))
    return { type: "button", body: { text: question }, action: { buttons } }
  }
  const rows = options.map(({ description, id, title }) => ({ id, title, ...defined({ description }) }))
  return { type: "list", body: { text: question }, action: { button: button ?? "Options", sections: [{ rows }] } }
}

const templateBody = (
  { language, name, variables }: NonNullable<OutboundMessage["template"]>,
  content: MessageContent | null,
  files: ReadonlyArray<UploadedFile>
): object => {
  const { buttons, cards, header, names, products, slot = null } = content?.type === "template" ? content : noParts
  const components = [
    ...(cards === undefined ? fileHeader(files[0]) : []),
    ...(header === null ? [] : [{ type: "header", parameters: [textParameter(header, slot)] }]),
    ...textBody(variables, names),
    ...buttons.map(valuedButton),
    ...(products === undefined ? [] : [productsButton(products)]),
    ...(cards === undefined ? [] : [{ type: "carousel", cards: cards.map((card, i) => cardBody(card, i, files[i])) }])
  ]
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) }
}

const noParts: Omit<ContentOf<"template">, "type"> = { header: null, buttons: [], names: null }

const fileHeader = (file: UploadedFile | undefined): ReadonlyArray<object> =>
  file === undefined ? [] : [{ type: "header", parameters: [{ type: file.kind, [file.kind]: fileBody(file, "") }] }]

/** `name`: null if the slots of the template have numbers. */
const textParameter = (text: string, name: string | null): object => ({
  type: "text",
  ...defined({ parameter_name: name }),
  text
})

const textBody = (variables: ReadonlyArray<string>, names: ReadonlyArray<string> | null): ReadonlyArray<object> => {
  const texts = variables.map((text, i) => textParameter(text, names?.[i] ?? null))
  return texts.length === 0 ? [] : [{ type: "body", parameters: texts }]
}

type Card = NonNullable<ContentOf<"template">["cards"]>[number]

const cardBody = (
  { buttons, names, product, variables }: Card,
  index: number,
  file: UploadedFile | undefined
): object => ({
  card_index: index,
  components: [
    ...(product === undefined ? fileHeader(file) : [productHeader(product)]),
    ...textBody(variables, names),
    ...buttons.map(valuedButton)
  ]
})

const productHeader = ({ catalog, id }: NonNullable<Card["product"]>): object => ({
  type: "header",
  parameters: [{ type: "product", product: { product_retailer_id: id, catalog_id: catalog } }]
})

type ValuedButton = ContentOf<"template">["buttons"][number] | Card["buttons"][number]

const valuedButton = ({ index, type, value }: ValuedButton): object => {
  switch (type) {
    case "code":
      return buttonBody("copy_code", index, { type: "coupon_code", coupon_code: value })
    case "reply":
      return buttonBody("quick_reply", index, { type: "payload", payload: value })
    case "url":
      return buttonBody("url", index, { type: "text", text: value })
  }
}

/** The button shows the products of the sections; without any, the catalogue. */
const productsButton = ({ index, sections, thumbnail }: NonNullable<ContentOf<"template">["products"]>): object => {
  const shown = sections.map(({ items, title }) => ({
    ...defined({ title }),
    product_items: items.map((product_retailer_id) => ({ product_retailer_id }))
  }))
  const action = { thumbnail_product_retailer_id: thumbnail, ...(shown.length === 0 ? {} : { sections: shown }) }
  return buttonBody(shown.length === 0 ? "CATALOG" : "mpm", index, { type: "action", action })
}

const buttonBody = (subType: string, index: number, parameter: object) => ({
  type: "button",
  sub_type: subType,
  index: `${index}`,
  parameters: [parameter]
})

/** The fields that are not null. */
const defined = (fields: { readonly [field: string]: string | null }): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
