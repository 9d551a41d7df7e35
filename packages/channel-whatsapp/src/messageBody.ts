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
export const messageBody = (message: OutboundMessage, file: UploadedFile | null): object => ({
  messaging_product: "whatsapp",
  recipient_type: "individual",
  // With the plus: without it, Meta may read the number as one of the business's own country.
  ...(message.to.startsWith("+") ? { to: message.to } : { recipient: message.to }),
  // A reaction names its message itself.
  ...(message.quoted == null || message.content?.type === "reaction"
    ? {}
    : { context: { message_id: message.quoted } }),
  ...typedBody(message, file),
  biz_opaque_callback_data: message.id
})

const typedBody = ({ body, content = null, quoted, template }: OutboundMessage, file: UploadedFile | null): object => {
  if (template !== null) return { type: "template", template: templateBody(template, content, file) }
  if (file !== null) return { type: file.kind, [file.kind]: fileBody(file, body) }
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

/** Reply buttons show no second line, so that a list is sent if an option has one. */
const choicesBody = ({ button, options }: ContentOf<"choices">, question: string): object => {
  if (options.length <= maxButtons && options.every(({ description }) => description === null)) {
    const buttons = options.map(({ id, title }) => ({ type: "reply", reply: { id, title } }))
    return { type: "button", body: { text: question }, action: { buttons } }
  }
  const rows = options.map(({ description, id, title }) => ({ id, title, ...defined({ description }) }))
  return { type: "list", body: { text: question }, action: { button: button ?? "Options", sections: [{ rows }] } }
}

const templateBody = (
  { language, name, variables }: NonNullable<OutboundMessage["template"]>,
  content: MessageContent | null,
  file: UploadedFile | null
): object => {
  const { buttons, header, names } = content?.type === "template" ? content : noParts
  const texts = variables.map((text, i) => ({ type: "text", ...defined({ parameter_name: names?.[i] ?? null }), text }))
  const components = [
    ...(file === null ? [] : [{ type: "header", parameters: [{ type: file.kind, [file.kind]: fileBody(file, "") }] }]),
    ...(header === null ? [] : [{ type: "header", parameters: [{ type: "text", text: header }] }]),
    ...(texts.length === 0 ? [] : [{ type: "body", parameters: texts }]),
    ...buttons.map(({ index, type, value }) =>
      type === "code"
        ? buttonBody("copy_code", index, { type: "coupon_code", coupon_code: value })
        : buttonBody("url", index, { type: "text", text: value })
    )
  ]
  return { name, language: { code: language }, ...(components.length === 0 ? {} : { components }) }
}

const noParts: Pick<ContentOf<"template">, "header" | "buttons" | "names"> = { header: null, buttons: [], names: null }

const buttonBody = (subType: string, index: number, parameter: object) => ({
  type: "button",
  sub_type: subType,
  index: `${index}`,
  parameters: [parameter]
})

/** The fields that are not null. */
const defined = (fields: { readonly [field: string]: string | null }): object =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null))
