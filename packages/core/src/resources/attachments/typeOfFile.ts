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

/** Sound and films, whose containers have the same signatures. */
const isRecording = (type: string): boolean => /^(audio|video)\//.test(type) || type === "application/ogg"
