import type { OutboundFile } from "@parley/core"
import type { Upload } from "@parley/provider-kit"

/** The largest file of a bot, in bytes. Telegram's servers take 50 MiB with the rest of the request. */
export const maxFileSize = 50_000_000

/** The largest photo, in bytes; a larger one is sent as a document. */
const maxPhotoSize = 10_000_000

/** The longest caption, in characters. */
export const maxCaptionLength = 1_024

/** A call that sends a file. */
export interface FileCall {
  readonly method: string
  readonly parameters: object
  readonly file: Upload
}

type Kind = "photo" | "animation" | "video" | "audio" | "voice" | "document"

/** The media types that Telegram shows as more than a document, and the extensions of their files. */
const kinds: ReadonlyMap<string, readonly [kind: Kind, extension: string]> = new Map([
  ["image/jpeg", ["photo", "jpg"]],
  ["image/png", ["photo", "png"]],
  ["image/gif", ["animation", "gif"]],
  ["video/mp4", ["video", "mp4"]],
  ["audio/mpeg", ["audio", "mp3"]],
  ["audio/mp3", ["audio", "mp3"]],
  ["audio/mp4", ["audio", "m4a"]],
  ["audio/m4a", ["audio", "m4a"]],
  ["audio/x-m4a", ["audio", "m4a"]],
  ["audio/ogg", ["voice", "ogg"]]
])

/** The call for a file (docs/reference/telegram.md#send-request). */
export const fileCall = (file: OutboundFile): FileCall => {
  const [kind = "document"] = kinds.get(file.contentType) ?? []
  if (kind === "document" || (kind === "photo" && file.size > maxPhotoSize)) return documentCall(file)
  return callAs(kind === "audio" && file.type === "voice" ? "voice" : kind, file)
}

/** The call for a file as a document, which Telegram does not change. */
export const documentCall = (file: OutboundFile): FileCall => ({
  ...callAs("document", file),
  // Telegram would make a sticker of a WebP, which has no caption, and an animation of a GIF.
  parameters: { disable_content_type_detection: true }
})

const callAs = (kind: Kind, { bytes, contentType, fileName, type }: OutboundFile): FileCall => {
  // Telegram shows no names of photos and voice messages.
  const name = kind === "photo" || kind === "voice" ? null : fileName
  return {
    method: `send${kind.charAt(0).toUpperCase()}${kind.slice(1)}`,
    parameters: {},
    file: { field: kind, contentType, bytes, fileName: name ?? `${type}.${extensionOf(contentType)}` }
  }
}

/** Telegram derives the media type of a document from the name. */
const extensionOf = (contentType: string): string => {
  const [, known] = kinds.get(contentType) ?? []
  const [, subtype = ""] = contentType.split("/")
  return known ?? (/^[a-z0-9]{2,5}$/.test(subtype) ? subtype : "bin")
}
