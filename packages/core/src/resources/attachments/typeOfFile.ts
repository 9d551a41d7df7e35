import { filetypemime } from "magic-bytes.js"
import { contentTypeOf } from "./describeFile.js"

/** Number of bytes in which signatures are looked for. */
export const signatureBytes = 4_096

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

/**
 * The type of a file by its signature, if it is not the declared one (docs/reference/content.md#sending-files). Null if
 * the signature allows the declared type, or the bytes have none.
 */
export const contradictingType = (bytes: Uint8Array, declared: string): string | null => {
  const [first] = filetypemime(bytes.subarray(0, signatureBytes))
  const found = typeOfFile(bytes, declared)
  return first === undefined || found === declared ? null : found
}

/** Sound and films, whose containers have the same signatures. */
const isRecording = (type: string): boolean => /^(audio|video)\//.test(type) || type === "application/ogg"
