import { type ContentOf, describeContent, type InboundAttachment } from "@parley/core"
import { type Fields, fieldsOf, idOf, listOf, numberOf, textOf } from "@parley/provider-kit"

/** The content of a customer's message. */
export interface Content {
  /** The text, followed by links, places and names of other attachments that it does not contain, each on a line. */
  readonly body: string
  readonly files: ReadonlyArray<InboundAttachment>
  /** The place, if that is all of the message. */
  readonly location: ContentOf<"location"> | null
  /** The products, if they are all of the message. */
  readonly order: ContentOf<"order"> | null
  /** Types of attachments that cannot be read. */
  readonly unsupported: ReadonlyArray<string>
}

/** The content of a text and its attachments. */
export const contentOf = (text: string, attachments: ReadonlyArray<unknown>): Content => {
  const parts = withoutCopies(attachments.map(fieldsOf)).map(partOf)
  const lines = parts.flatMap((part) => ("line" in part && !text.includes(part.key) ? [part.line] : []))
  const [only] = parts
  return {
    body: [text, ...lines].filter((line) => line !== "").join("\n"),
    files: parts.flatMap((part) => ("file" in part ? [part.file] : [])),
    location: text === "" && parts.length === 1 && only !== undefined && "location" in only ? only.location : null,
    order: text === "" && parts.length === 1 && only !== undefined && "order" in only ? only.order : null,
    unsupported: parts.flatMap((part) => ("kind" in part ? [part.kind] : []))
  }
}

/** Until the end of August 2026, Meta sent each sticker as an `image` too, with the same `sticker_id`. */
const withoutCopies = (attachments: ReadonlyArray<Fields>): ReadonlyArray<Fields> => {
  const stickers = new Set(attachments.flatMap((one) => (one.type === "sticker" ? (stickerIdOf(one) ?? []) : [])))
  return attachments.filter((one) => one.type !== "image" || !stickers.has(stickerIdOf(one) ?? ""))
}

const stickerIdOf = ({ payload }: Fields): string | null => idOf(fieldsOf(payload).sticker_id)

/** A file, or a line of text. A line whose key the text already contains is left out. */
type Part =
  | { readonly file: InboundAttachment }
  | { readonly line: string; readonly key: string }
  | { readonly line: string; readonly key: string; readonly location: ContentOf<"location"> }
  | { readonly line: string; readonly key: string; readonly order: ContentOf<"order"> }
  /** An attachment that cannot be shown, and what it says of itself. */
  | { readonly line: string; readonly key: string; readonly kind: string }

const partOf = (attachment: Fields): Part => {
  const payload = fieldsOf(attachment.payload)
  const type = textOf(attachment.type) ?? "attachment"
  const fileType = fileTypes.get(type)
  // Links have these fields outside of the payload too.
  const url = textOf(payload.url) ?? textOf(attachment.url)
  const title = textOf(payload.title) ?? textOf(attachment.title)
  if (fileType !== undefined && url !== null && url.length <= maxReferenceLength) {
    return { file: fileOf(payload.sticker_id == null ? fileType : "sticker", url) }
  }
  if (links.has(type) && url !== null) return { line: titled(title, url), key: url }
  const coordinates = fieldsOf(payload.coordinates)
  const [latitude, longitude] = [numberOf(coordinates.lat), numberOf(coordinates.long)]
  if (type === "location" && latitude !== null && longitude !== null) {
    const key = `${latitude}, ${longitude}`
    const location = { type: "location", latitude, longitude, name: title, address: null, url } as const
    return { line: titled(title, key), key, location }
  }
  const order = orderOf(listOf(fieldsOf(payload.product).elements))
  if (order !== null) {
    const line = describeContent(order)
    return { line, key: line, order }
  }
  const written = type === "template" ? textsOf(payload).join("\n") : ""
  if (written !== "") return { line: written, key: written }
  const line = titled(titled(`Unsupported content: ${type}`, title ?? ""), url ?? "")
  return { line, key: line, kind: type }
}

/** The text of a template, and the titles and subtitles of its elements. */
const textsOf = ({ elements, text }: Fields): ReadonlyArray<string> =>
  [text, ...listOf(elements).flatMap((element) => [fieldsOf(element).title, fieldsOf(element).subtitle])].flatMap(
    (one) => textOf(one) ?? []
  )

/** The products that a customer shares or asks about; null without any. */
const orderOf = (elements: ReadonlyArray<unknown>): ContentOf<"order"> | null => {
  const items = elements.map((element) => {
    const { id, retailer_id, title } = fieldsOf(element)
    const product = idOf(retailer_id) ?? idOf(id) ?? ""
    return { product, name: textOf(title), quantity: 1, price: null, currency: null }
  })
  return items.length === 0 ? null : { type: "order", catalog: null, items }
}

const fileTypes: ReadonlyMap<string, InboundAttachment["type"]> = new Map([
  ["image", "image"],
  ["sticker", "sticker"],
  ["video", "video"],
  ["audio", "audio"],
  ["file", "document"],
  // A story in which the customer mentions the business: an image or a video.
  ["story_mention", "other"]
])

/** Web pages, and shared posts and reels. */
const links: ReadonlySet<string> = new Set(["fallback", "share", "post", "reel", "ig_post", "ig_reel"])

const titled = (title: string | null, line: string): string =>
  [title, line].filter((text) => text !== null && text !== "").join("\n")

/** Maximum length of a reference. */
const maxReferenceLength = 4_000

const fileOf = (type: InboundAttachment["type"], url: string): InboundAttachment => ({
  type,
  contentType: null,
  fileName: type === "document" ? fileNameOf(url) : null,
  content: { reference: url }
})

/** The last segment of the path is the name of a document. */
const fileNameOf = (url: string): string | null => {
  const [, name = ""] = /\/([^/?#]+\.[^/?#.]+)(?:[?#]|$)/.exec(url) ?? []
  try {
    return name === "" ? null : decodeURIComponent(name)
  } catch {
    return name
  }
}
