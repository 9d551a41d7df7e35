import { storableText } from "../../kernel/text/storableText.js"
import type { FileKind } from "../../model/Channel.js"

/** A media type without its parameters, of at most 127 characters. */
const mediaType = /^(?=.{3,127}$)[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** The media type of a file of which none is known. */
export const unknownContentType = "application/octet-stream"

/** The media type that a vendor reports for a file; `application/octet-stream` if it is missing or malformed. */
export const contentTypeOf = (text: string | null): string => {
  const [type = ""] = (text ?? "").slice(0, 255).toLowerCase().split(";")
  return mediaType.test(type.trim()) ? type.trim() : unknownContentType
}

/**
 * The file name that a customer gave: the last part of its path, without control and formatting characters (some of
 * them reverse text), at most 255 characters. Null if nothing remains.
 */
export const fileNameOf = (text: string | null): string | null => {
  const [name = ""] = (text ?? "").split(/[\\/]/).slice(-1)
  const plain = storableText(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ""), 255).trim()
  return plain === "" || plain === "." || plain === ".." ? null : plain
}

/** Whether files of a media type are stored. `image/*` allows every image type; null allows all types. */
export const isKeptType = (types: ReadonlyArray<string> | null, contentType: string): boolean =>
  types === null || types.some((type) => type === contentType || type === contentType.replace(/\/.*/, "/*"))

/** The kind of a file by its media type. */
export const kindOf = (contentType: string): FileKind => {
  const [family] = contentType.split("/")
  return family === "image" || family === "video" || family === "audio" ? family : "document"
}
