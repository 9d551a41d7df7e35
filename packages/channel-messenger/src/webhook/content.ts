import type { InboundAttachment } from "@parley/core"
import { Option, Schema } from "effect"

/** What a customer's message says. */
export interface Content {
  /** The text, and then every link and place that is not in it yet, a line each. */
  readonly body: string
  readonly files: ReadonlyArray<InboundAttachment>
  /** Whether there are attachments that could not be read. */
  readonly others: boolean
}

const text = Schema.optional(Schema.NullOr(Schema.String))
const readAttachment = Schema.decodeUnknownOption(
  Schema.Struct({
    type: Schema.String,
    // Links have these beside the payload too.
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

/** Of a text and its attachments. */
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

/** A file, or a line of text; one whose key is in the text already says nothing new. */
type Part = { readonly file: InboundAttachment } | { readonly line: string; readonly key: string }

/** Null for what could not be shown: shared stories, templates, products, … */
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

/** Pages of the web, and posts and reels of others. */
const links: ReadonlySet<string> = new Set(["fallback", "share", "post", "reel", "ig_post", "ig_reel"])

const titled = ({ payload, title }: Attachment, line: string): string => {
  const words = payload?.title ?? title ?? ""
  return words === "" ? line : `${words}\n${line}`
}

/** As long as a reference may be. */
const isReference = (url: string): boolean => url !== "" && url.length <= 4_000

const fileOf = (type: InboundAttachment["type"], url: string): InboundAttachment => ({
  type,
  contentType: null,
  fileName: type === "document" ? fileNameOf(url) : null,
  content: { reference: url }
})

/** Documents keep the name under which they were sent at the end of the path. */
const fileNameOf = (url: string): string | null => {
  const [, name = ""] = /\/([^/?#]+\.[^/?#.]+)(?:[?#]|$)/.exec(url) ?? []
  try {
    return name === "" ? null : decodeURIComponent(name)
  } catch {
    return name
  }
}
