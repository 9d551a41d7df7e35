import { storableText } from "../input/storableText.js"

/** A media type without its parameters, of at most 127 characters. */
const mediaType = /^(?=.{3,127}$)[a-z0-9][a-z0-9!#$&^_.+-]*\/[a-z0-9][a-z0-9!#$&^_.+-]*$/

/** What a vendor calls a file's type, as we repeat it: `application/octet-stream` where it says none that is one. */
export const contentTypeOf = (text: string | null): string => {
  const [type = ""] = (text ?? "").slice(0, 255).toLowerCase().split(";")
  return mediaType.test(type.trim()) ? type.trim() : "application/octet-stream"
}

/**
 * What a customer calls a file, as we repeat it: the last part of its path, without control and formatting characters (some
 * turn text around), at most 255 characters. Null where nothing is left.
 */
export const fileNameOf = (text: string | null): string | null => {
  const [name = ""] = (text ?? "").split(/[\\/]/).slice(-1)
  const plain = storableText(name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, ""), 255).trim()
  return plain === "" || plain === "." || plain === ".." ? null : plain
}

/** Whether files of a media type are kept: by the types that are, of which `image/*` means every image; null: all. */
export const isKeptType = (types: ReadonlyArray<string> | null, contentType: string): boolean =>
  types === null || types.some((type) => type === contentType || type === contentType.replace(/\/.*/, "/*"))
