import { type Connection, contentTypeOf, type FileLimits } from "@parley/core"
import { filetypemime } from "magic-bytes.js"

/** The maximum size of a visitor's file in bytes. */
export const maxFileBytes = 10 * 1_048_576

/** The limits of files that the business sends, of our own. */
export const fileLimits: FileLimits = { count: 10, bytes: 25 * 1_048_576 }

/** The media types that visitors may send unless the connection has others. */
const defaultTypes: ReadonlyArray<string> = [
  "image/*",
  "audio/*",
  "video/*",
  "text/plain",
  "text/csv",
  "application/pdf",
  "application/zip",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet"
]

/** The media types of the files that visitors of a connection may send; none: no files. */
export const acceptedTypes = ({ file_types }: Connection["config"]): ReadonlyArray<string> =>
  Array.isArray(file_types) ? file_types : defaultTypes

/** Bytes in which signatures are looked for. */
const signatureBytes = 4_096

/**
 * The media type of a file (docs/reference/webchat.md#files): the signature of its bytes decides, not what its sender
 * declares. A declared type counts where the signature allows it too, or where its format has no signature.
 */
export const typeOfFile = (bytes: Uint8Array, declared: string | null): string => {
  const type = contentTypeOf(declared)
  // Browsers show plain text as such, whatever is in it.
  if (type === "text/plain" || type === "text/csv") return type
  const found = filetypemime(bytes.subarray(0, signatureBytes))
  if (found.includes(type) || (isRecording(type) && found.some(isRecording))) return type
  return found[0] ?? (/^(image|audio|video)\//.test(type) ? contentTypeOf(null) : type)
}

/** Sound and films, whose containers have the same signatures. */
const isRecording = (type: string): boolean => /^(audio|video)\//.test(type) || type === "application/ogg"
