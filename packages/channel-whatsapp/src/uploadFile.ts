import { randomBytes } from "node:crypto"
import type { OutboundFile } from "@parley/core"
import type { GraphApi, GraphFailure } from "@parley/meta-graph"
import { multipart } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import type { UploadedFile } from "./messageBody.js"
import type { WhatsAppAccount } from "./WhatsAppAccount.js"

const readAnswer = Schema.decodeUnknownOption(Schema.Struct({ id: Schema.NonEmptyString }))

/**
 * Uploads a file: `POST /{phone number id}/media` (docs/reference/whatsapp.md#files-that-are-sent). The file is read
 * while it is uploaded. Nothing is sent to the customer by it, so that every failure of it is one before the send.
 */
export const uploadFile = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount,
  file: OutboundFile,
  caption: string
): Effect.Effect<UploadedFile, GraphFailure> =>
  Effect.gen(function* () {
    const { bytes, contentType, fileName, size } = file
    const form = multipart(
      { messaging_product: "whatsapp", type: contentType },
      { field: "file", fileName: fileName ?? "file", contentType, bytes, size },
      randomBytes(16).toString("hex")
    )
    const answer = yield* graph.call(credentials.access_token, { path: `/${config.phone_number_id}/media`, form })
    const id = Option.getOrNull(readAnswer(answer))?.id
    if (id === undefined) return yield* Effect.fail({ _tag: "Unreachable" as const, reason: "an upload without an id" })
    return { kind: kindOf(file, caption), id, fileName: file.fileName }
  }).pipe(
    // A lost or failed upload is no lost send.
    Effect.mapError((failure) =>
      failure._tag === "Unanswered" || (failure._tag === "Refused" && failure.status >= 500)
        ? { _tag: "Unreachable" as const, reason: failure.reason }
        : failure
    )
  )

/** The types that Meta shows; it takes all others as documents. */
const shown: ReadonlySet<string> = new Set([
  "image/jpeg",
  "image/png",
  "video/mp4",
  "video/3gpp",
  "audio/aac",
  "audio/amr",
  "audio/mpeg",
  "audio/mp4",
  "audio/ogg"
])

/** Maximum size of an image in bytes; a larger one is sent as a document. */
const maxImageBytes = 5 * 1_048_576

const kindOf = ({ contentType, size }: OutboundFile, caption: string): UploadedFile["kind"] => {
  const [family] = contentType.split("/")
  if (!shown.has(contentType)) return "document"
  if (family === "image") return size <= maxImageBytes ? "image" : "document"
  if (family === "video") return "video"
  return caption === "" ? "audio" : "document"
}
