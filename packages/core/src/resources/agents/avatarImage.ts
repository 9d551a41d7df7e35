import { Schema } from "effect"
import { filetypemime } from "magic-bytes.js"
import { FieldMessage } from "../../kernel/input/Fields.js"

/** An image as an administrator gives it. */
export interface AvatarImage {
  readonly bytes: Uint8Array
  readonly contentType: string
}

/** Maximum size of an image, in bytes: that of a photo of 512 pixels. */
export const maxAvatarBytes = 262_144

/** The longest base64 of {@link maxAvatarBytes}. */
const maxLength = Math.ceil(maxAvatarBytes / 3) * 4

const message = `must be a PNG, JPEG, WebP or GIF image of at most ${maxAvatarBytes} bytes, as base64`

/** Images that cannot contain scripts. */
const types: ReadonlyArray<string> = ["image/png", "image/jpeg", "image/webp", "image/gif"]

/** The image in base64 text; null for other files, by their first bytes, and for larger ones. */
export const avatarImageOf = (base64: string): AvatarImage | null => {
  if (base64.length > maxLength || base64.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return null
  const bytes = new Uint8Array(Buffer.from(base64, "base64"))
  const contentType = filetypemime(bytes.subarray(0, 64)).find((type) => types.includes(type))
  return contentType === undefined || bytes.length > maxAvatarBytes ? null : { bytes, contentType }
}

/** An image in base64 (docs/reference/administration.md#avatars-of-agents). */
export const avatarImage: Schema.Schema<string> = Schema.String.pipe(
  Schema.filter((text) => avatarImageOf(text) !== null, { [FieldMessage]: message })
).annotations({ jsonSchema: { type: "string", contentEncoding: "base64", maxLength } })
