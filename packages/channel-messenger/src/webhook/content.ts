import type { InboundAttachment } from "@parley/core"
import { Option, Schema } from "effect"

/** The content of a customer's message. */
export interface Content {
  /** The text, followed by links and locations that it does not contain, each on a line. */
  readonly body: string
  readonly files: ReadonlyArray<InboundAttachment>
  /** Whether there are attachments that could not be read. */
  readonly others: boolean
}

const text = Schema.optional(Schema.NullOr(Schema.String))
const readAttachment = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.String,
    // Links have these fields outside of the payload too.
    url: text,
    title: text,
    payload: Schema.optional(
      Schema.NullOr(
        Schema.Struct({
          url: text,
          title: text,
          sticker_id: Schema.optional(Schema.Unknown),
          coordinates: Schema.optional(Schema.Struct({ lat: Schema.Number, long: Schema.Number }))
        })
      )
    )
  })
)

type Attachment = Option.Option.Value<ReturnType<typeof readAttachment>>

/** The content of a text and its attachments. */
export const contentOf = (text: string, attachments: ReadonlyArray<unknown>): Content => {
  const read = attachments.map((one) => Option.flatMapNullable(readAttachment(one), partOf))
  const parts = read.flatMap(Option.toArray)
  const lines = parts.flatMap((part) => ("line" in part && !text.includes(part.key) ? [part.line] : []))
  return {
    body: [text, ...lines].filter((line) => line !== "").join("\n"),
    files: parts.flatMap((part) => ("file" in part ? [part.file] : [])),
    others: parts.length < attachments.length
  }
}

/** A file, or a line of text. A line whose key the text already contains is left out. */
type Part = { readonly file: InboundAttachment } | { readonly line: string; readonly key: string }

/** Null for attachments that cannot be shown: shared stories, templates, products, … */
const partOf = (attachment: Attachment): Part | null => {
  const { payload, type } = attachment
  const fileType = fileTypes.get(type)
  const url = payload?.url ?? attachment.url ?? ""
  if (fileType !== undefined) {
    const shown = payload?.sticker_id === undefined ? fileType : "sticker"
    return isReference(url) ? { file: fileOf(shown, url) } : null
  }
  if (links.has(type)) return url === "" ? null : { line: titled(attachment, url), key: url }
  const place = type === "location" ? payload?.coordinates : undefined
  if (place === undefined) return null
  const key = `${place.lat}, ${place.long}`
  return { line: titled(attachment, key), key }
}

const fileTypes: ReadonlyMap<string, InboundAttachment["type"]> = new Map([
  ["image", "image"],
  ["video", "video"],
  ["audio", "audio"],
  ["file", "document"]
])

/** Web pages, and shared posts and reels. */
const links: ReadonlySet<string> = new Set(["fallback", "share", "post", "reel", "ig_post", "ig_reel"])

const titled = ({ payload, title }: Attachment, line: string): string => {
  const message = payload?.title ?? title ?? ""
  return message === "" ? line : `${message}\n${line}`
}

/** Whether the URL is within the maximum length of a reference. */
const isReference = (url: string): boolean => url !== "" && url.length <= 4_000

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
