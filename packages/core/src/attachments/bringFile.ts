import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { AttachmentSettings } from "../EngineSettings.js"
import type { InboundAttachment } from "../inbound/InboundEvent.js"
import { text } from "../input/Fields.js"
import type { Blobs, BlobsUnavailable } from "../ports/Blobs.js"
import type { InboundFile } from "./attachFile.js"
import { contentTypeOf, fileNameOf, isKeptType } from "./describeFile.js"

/** What a provider finds a file by. */
const isReference = Schema.is(text(4_000))

/**
 * The id of a file: it follows from its message's and its place in it, so that bytes which are put before the message is
 * stored, and again when it is redelivered, are put once.
 */
export const attachmentId = (connectionId: string, providerMessageId: string, position: number): string => {
  const hash = createHash("sha256").update(`${connectionId} ${position} ${providerMessageId}`).digest("hex")
  const variant = "89ab"[Number.parseInt(hash.slice(0, 1), 16) & 3]
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/**
 * A file of a customer's message, ready to be stored with it: bytes are kept now; what the vendor has is fetched later, and its
 * size is 0 until then. Bytes that are not kept (too many, or of a type that is not) leave a file that failed.
 */
export const bringFile = (
  blobs: Pick<Blobs, "put">,
  { maxBytes, types }: AttachmentSettings,
  id: string,
  { content, contentType: type, fileName, type: kind }: InboundAttachment
): Effect.Effect<InboundFile, BlobsUnavailable> => {
  const contentType = contentTypeOf(type)
  const file = (status: InboundFile["status"], size: number, reference: string | null): InboundFile => ({
    attachment: { id, type: kind, contentType, fileName: fileNameOf(fileName), size },
    status,
    reference
  })
  if (!(content instanceof Uint8Array)) {
    const { reference } = content
    return Effect.succeed(isReference(reference) ? file("waiting", 0, reference) : file("failed", 0, null))
  }
  if (!isKeptType(types, contentType)) return Effect.succeed(file("failed", content.length, null))
  return blobs.put(id, content, { contentType, limit: maxBytes }).pipe(
    Effect.map((size) => file("stored", size, null)),
    Effect.catchTag("BlobTooLarge", () => Effect.succeed(file("failed", content.length, null)))
  )
}
