import type { InboundAttachment } from "@parley/core"
import { type Fields, fieldsOf, listIn, numberIn, textIn } from "./fields.js"

/** A field with a file: the type of the attachment, and the media type if the file does not name its own. */
const kinds: ReadonlyArray<readonly [field: string, type: InboundAttachment["type"], contentType: string | null]> = [
  // An animation also has `document`.
  ["animation", "video", null],
  ["video", "video", null],
  ["video_note", "video", "video/mp4"],
  ["voice", "voice", null],
  ["audio", "audio", null],
  ["document", "document", null]
]

/**
 * The files of a message, which are fetched later by their `file_id`; none if it has none that can be read. A live
 * photo is a photo and its video.
 */
export const filesOf = (message: Fields): ReadonlyArray<InboundAttachment> => {
  const file = fileOf(message)
  const moving = attachment(fieldsOf(message.live_photo), "video", "video/mp4")
  return [file, moving].filter((one) => one !== null)
}

const fileOf = (message: Fields): InboundAttachment | null => {
  const photo = largest(listIn(message, "photo"))
  if (photo !== null) return attachment(photo, "image", "image/jpeg")
  for (const [field, type, contentType] of kinds) {
    const file = attachment(fieldsOf(message[field]), type, contentType)
    if (file !== null) return file
  }
  const sticker = fieldsOf(message.sticker)
  return attachment(
    sticker,
    "sticker",
    sticker.is_animated === true ? "application/x-tgsticker" : sticker.is_video === true ? "video/webm" : "image/webp"
  )
}

const attachment = (
  file: Fields,
  type: InboundAttachment["type"],
  contentType: string | null
): InboundAttachment | null => {
  const reference = textIn(file, "file_id")
  return reference === null
    ? null
    : {
        type,
        contentType: textIn(file, "mime_type") ?? contentType,
        fileName: textIn(file, "file_name"),
        duration: numberIn(file, "duration"),
        content: { reference }
      }
}

/** The largest size of a photo that can be fetched. */
const largest = (sizes: ReadonlyArray<Fields>): Fields | null =>
  sizes
    .filter((size) => textIn(size, "file_id") !== null)
    .reduce<Fields | null>((best, size) => (best === null || pixels(size) > pixels(best) ? size : best), null)

const pixels = (size: Fields): number => (numberIn(size, "width") ?? 0) * (numberIn(size, "height") ?? 0)
