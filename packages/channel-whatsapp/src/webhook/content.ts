import { describeContent, type InboundAttachment, type InboundEvent, type MessageContent } from "@parley/core"
import { type Fields, fieldsOf, listOf, numberOf, textOf } from "@parley/provider-kit"

type Message = Extract<InboundEvent, { readonly _tag: "Message" }>

/** The content of a customer's message. */
export type Content = Pick<Message, "body" | "attachments" | "content" | "opensWindow" | "quoted">

/** The content of this message. Of an unknown type or shape: `unsupported`, so that nothing of a customer is lost. */
export const contentOf = (type: string, message: Fields): Content => readers[type]?.(message) ?? unsupported(type)

type Reader = (message: Fields) => Content | null

const text = (body: string): Content => ({ body, attachments: [] })
const typed = (body: string, content: MessageContent): Content => ({ body, attachments: [], content })
const lines = (...texts: ReadonlyArray<string | null>): string => texts.filter((text) => text !== null).join("\n")

const unsupported = (kind: string): Content => typed(`Unsupported content: ${kind}`, { type: "unsupported", kind })

/** A file, which is fetched later by its media id. */
const file =
  (type: InboundAttachment["type"]): Reader =>
  (message) => {
    const { caption, filename, id, mime_type, voice } = fieldsOf(message[type])
    const reference = textOf(id)
    if (reference === null) return null
    return {
      body: textOf(caption) ?? "",
      attachments: [
        {
          type: type === "audio" && voice === true ? "voice" : type,
          contentType: textOf(mime_type),
          fileName: textOf(filename),
          content: { reference }
        }
      ]
    }
  }

const choice = (title: string | null, id: string | null): Content | null =>
  title === null ? null : typed(title, { type: "choice", id, title })

/** A completed flow: its answers are JSON in a text. */
const form = (reply: Fields): Content | null => {
  const answers = jsonOf(textOf(reply.response_json))
  if (answers === null) return null
  const content: MessageContent = { type: "form", name: textOf(reply.name), answers }
  return typed(textOf(reply.body) ?? describeContent(content), content)
}

const jsonOf = (text: string | null): Fields | null => {
  try {
    const value: unknown = JSON.parse(text ?? "")
    return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Fields) : null
  } catch {
    return null
  }
}

const order: Reader = (message) => {
  const { catalog_id, product_items, text } = fieldsOf(message.order)
  const items = listOf(product_items).map((item) => {
    const { currency, item_price, product_retailer_id, quantity } = fieldsOf(item)
    return {
      product: textOf(product_retailer_id) ?? "",
      name: null,
      quantity: numberOf(quantity) ?? 1,
      price: numberOf(item_price),
      currency: textOf(currency)
    }
  })
  if (items.length === 0) return null
  const content: MessageContent = { type: "order", catalog: textOf(catalog_id), items }
  return typed(lines(textOf(text), describeContent(content)), content)
}

/** What the vendor does not pass on, by its kind; without one, with the title of the error. */
const notPassedOn: Reader = (message) => {
  const kind = textOf(fieldsOf(message.unsupported).type)
  const [error] = listOf(message.errors)
  const { message: text, title } = fieldsOf(error)
  return unsupported((kind === "unknown" ? null : kind) ?? textOf(title) ?? textOf(text) ?? "unsupported")
}

const interactive: Reader = (message) => {
  const { button_reply, list_reply, nfm_reply } = fieldsOf(message.interactive)
  const completed = nfm_reply === undefined ? null : form(fieldsOf(nfm_reply))
  if (completed !== null) return completed
  const { id, title } = fieldsOf(button_reply ?? list_reply)
  return choice(textOf(title), textOf(id)) ?? unsupported(textOf(fieldsOf(message.interactive).type) ?? "interactive")
}

const location: Reader = (message) => {
  const fields = fieldsOf(message.location)
  const [latitude, longitude] = [numberOf(fields.latitude), numberOf(fields.longitude)]
  if (latitude === null || longitude === null) return null
  const [name, address, url] = [textOf(fields.name), textOf(fields.address), textOf(fields.url)]
  const content: MessageContent = { type: "location", latitude, longitude, name, address, url }
  return typed(lines(name, address, `${latitude}, ${longitude}`), content)
}

const contacts: Reader = (message) => {
  const cards = listOf(message.contacts).map((card) => {
    const { emails, name, org, phones } = fieldsOf(card)
    const each = (list: unknown, field: string) => listOf(list).flatMap((item) => textOf(fieldsOf(item)[field]) ?? [])
    const { first_name, formatted_name } = fieldsOf(name)
    return {
      name: textOf(formatted_name) ?? textOf(first_name) ?? "",
      organization: textOf(fieldsOf(org).company),
      phones: each(phones, "phone"),
      emails: each(emails, "email")
    }
  })
  if (cards.length === 0) return null
  const body = cards.map(({ emails, name, organization, phones }) => lines(name, organization, ...phones, ...emails))
  return typed(body.join("\n\n"), { type: "contacts", contacts: cards })
}

/** A reaction. Without an emoji, the customer took it back. */
const reaction: Reader = (message) => {
  const fields = fieldsOf(message.reaction)
  const [emoji, target] = [textOf(fields.emoji), textOf(fields.message_id)]
  if (target === null) return null
  return {
    ...typed(emoji ?? "Reaction removed", { type: "reaction", emoji }),
    quoted: { providerMessageId: target }
  }
}

/** The id of the message that this part of a message is about: an edit, or a deletion. */
const aboutOf = (part: unknown): NonNullable<Content["quoted"]> | null => {
  const target = textOf(fieldsOf(part).original_message_id)
  return target === null ? null : { providerMessageId: target }
}

/** A deletion of an earlier message. */
const deletion: Reader = ({ revoke }) => {
  const quoted = aboutOf(revoke)
  return quoted === null ? null : { ...typed("Message deleted", { type: "deletion" }), quoted }
}

/** An edit of an earlier message, with its new text and files. */
const edit: Reader = (message) => {
  const quoted = aboutOf(message.edit)
  if (quoted === null) return null
  const edited = fieldsOf(fieldsOf(message.edit).message)
  const type = textOf(edited.type)
  const { attachments, body } = type === null ? text("") : contentOf(type, edited)
  return { body, attachments, content: { type: "edit" }, quoted }
}

/** A notice, such as a changed security code. */
const notice: Reader = (message) => {
  const { body, type } = fieldsOf(message.system)
  const event = textOf(type) ?? "system"
  return typed(textOf(body) ?? event, { type: "system", event })
}

/** Readers by `type`. */
const readers: { readonly [type: string]: Reader | undefined } = Object.assign(Object.create(null), {
  text: ({ text: fields }: Fields) => {
    const { body } = fieldsOf(fields)
    return typeof body === "string" ? text(body) : null
  },
  image: file("image"),
  video: file("video"),
  audio: file("audio"),
  document: file("document"),
  sticker: file("sticker"),
  button: ({ button }: Fields) => choice(textOf(fieldsOf(button).text), textOf(fieldsOf(button).payload)),
  interactive,
  location,
  contacts,
  order,
  reaction,
  revoke: deletion,
  edit,
  system: notice,
  unsupported: notPassedOn,
  // Meta opens the service window, so that the business can greet a customer who has written nothing yet.
  request_welcome: () => ({
    ...typed("request_welcome", { type: "system", event: "request_welcome" }),
    opensWindow: true
  })
})
