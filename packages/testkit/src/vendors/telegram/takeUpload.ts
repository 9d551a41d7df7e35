import { Option, Schema } from "effect"
import type { VendorAnswer, VendorRequest } from "../VendorServer.js"
import { badRequest } from "./botAnswers.js"
import { business_connection_id, chat_id, replyTo } from "./parameters.js"

/**
 * The methods that take a file, with the field of the file, and the media types that Telegram takes in it; null for
 * all.
 */
const uploads = {
  sendPhoto: ["photo", ["image/jpeg", "image/png"]],
  sendAnimation: ["animation", ["image/gif", "video/mp4"]],
  sendVideo: ["video", ["video/mp4"]],
  sendAudio: ["audio", ["audio/mpeg", "audio/mp3", "audio/mp4", "audio/m4a", "audio/x-m4a"]],
  sendVoice: ["voice", ["audio/ogg", "audio/mpeg", "audio/mp3", "audio/mp4", "audio/m4a", "audio/x-m4a"]],
  sendDocument: ["document", null]
} as const

export type UploadMethod = keyof typeof uploads

export const isUploadMethod = (name: string): name is UploadMethod => Object.hasOwn(uploads, name)

/** A file that a bot uploaded. */
export interface TelegramUpload {
  readonly method: UploadMethod
  readonly contentType: string
  /** Null where Telegram keeps none. */
  readonly fileName: string | null
  readonly content: Uint8Array
}

/** An accepted upload. */
export interface UploadedMessage {
  readonly chatId: string
  readonly business: string | undefined
  /** Null without one, and where Telegram drops it. */
  readonly caption: string | null
  readonly quoted: number | null
  readonly file: TelegramUpload
}

/** Of the whole request, in bytes. */
const maxBodySize = 50 * 1024 * 1024
const maxPhotoSize = 10 * 1024 * 1024

const readFields = Schema.decodeUnknownOption(
  Schema.Struct({
    chat_id,
    business_connection_id,
    caption: Schema.optional(Schema.NonEmptyString),
    reply_parameters: Schema.optional(Schema.parseJson(replyTo)),
    disable_content_type_detection: Schema.optional(Schema.Literal("true"))
  }),
  { onExcessProperty: "error" }
)

/** Reads a `multipart/form-data` request as Telegram does; an error answer if Telegram refuses it. */
export const readUpload = async (
  method: UploadMethod,
  { body, headers }: VendorRequest
): Promise<{ readonly taken: UploadedMessage } | { readonly refused: VendorAnswer }> => {
  const [field, types] = uploads[method]
  // Telegram's web server, not the Bot API.
  if (body.length > maxBodySize) return { refused: { status: 413, body: "<html>413 Request Entity Too Large</html>" } }
  const form = await formOf(body, headers["content-type"] ?? "")
  if (form === null) return refused("can't parse multipart/form-data")
  const texts = Object.fromEntries([...form].filter(([, value]) => typeof value === "string"))
  const fields = Option.getOrNull(readFields(texts))
  if (fields === null || texts[field] !== undefined) return refused(`parameters are not those of ${method}`)
  const files = [...form].filter(([, value]) => typeof value !== "string")
  const file = form.get(field)
  if (files.length !== 1 || file === null || typeof file === "string")
    return refused(`there is no ${field} in the request`)
  const content = new Uint8Array(await file.arrayBuffer())
  if (content.length === 0) return refused("file must be non-empty")
  if (field === "photo" && content.length > maxPhotoSize) return refused("file is too big")
  if (types !== null && !(types as ReadonlyArray<string>).includes(file.type)) {
    return refused(field === "photo" ? "IMAGE_PROCESS_FAILED" : `wrong type of ${field}`)
  }
  const caption = fields.caption ?? null
  if ([...(caption ?? "")].length > 1_024) return refused("message caption is too long")
  // Without the parameter, Telegram makes a sticker of it, which has no caption.
  const isSticker =
    method === "sendDocument" && file.type === "image/webp" && fields.disable_content_type_detection === undefined
  return {
    taken: {
      chatId: String(fields.chat_id),
      business: fields.business_connection_id,
      caption: isSticker ? null : caption,
      quoted: fields.reply_parameters?.message_id ?? null,
      file: {
        method,
        contentType: file.type,
        fileName: field === "photo" || field === "voice" ? null : file.name,
        content
      }
    }
  }
}

const refused = (what: string) => ({ refused: badRequest(what) })

/** The parts of a body; null if it is malformed. */
const formOf = async (body: Uint8Array, contentType: string): Promise<FormData | null> => {
  try {
    return await new Response(Buffer.from(body), { headers: { "content-type": contentType } }).formData()
  } catch {
    return null
  }
}
