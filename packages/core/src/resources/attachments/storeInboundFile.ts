import { createHash } from "node:crypto"
import { Effect, Schema } from "effect"
import type { AttachmentSettings } from "../../kernel/EngineSettings.js"
import { text } from "../../kernel/input/Fields.js"
import type { InboundAttachment } from "../../model/InboundEvent.js"
import type { Blobs, BlobsUnavailable } from "../../ports/Blobs.js"
import type { InboundFile } from "./attachFile.js"
import { contentTypeOf, fileNameOf, isKeptType } from "./describeFile.js"

const isDuration = Schema.is(Schema.NonNegative.pipe(Schema.finite()))

/** A provider's file reference: 1 to 4,000 characters. */
const isReference = Schema.is(text(4_000))

/**
 * Derived id of an attachment, a UUIDv8: the bytes are stored before the message, and a redelivery stores them under
 * the same id.
 */
export const attachmentId = (connectionId: string, providerMessageId: string, position: number): string => {
  const hash = createHash("sha256").update(`${connectionId} ${position} ${providerMessageId}`).digest("hex")
  const variant = "89ab"[Number.parseInt(hash.slice(0, 1), 16) & 3]
  return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-8${hash.slice(13, 16)}-${variant}${hash.slice(17, 20)}-${hash.slice(20, 32)}`
}

/**
 * Prepares a file of an inbound message for the commit of that message. Bytes in the event are stored now. A file that
 * the vendor still has is fetched later; its size is 0 until then. Bytes that are too large or of a media type that is
 * not kept result in status `failed`.
 */
export const storeInboundFile = (
  blobs: Pick<Blobs, "put">,
  { maxBytes, types }: AttachmentSettings,
  id: string,
  { content, contentType: type, duration = null, fileName, type: kind }: InboundAttachment
): Effect.Effect<InboundFile, BlobsUnavailable> => {
  const contentType = contentTypeOf(type)
  const file = (status: InboundFile["status"], size: number, reference: string | null): InboundFile => ({
    attachment: {
      ...{ id, type: kind, contentType, fileName: fileNameOf(fileName), size },
      ...(isDuration(duration) ? { duration } : {})
    },
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
