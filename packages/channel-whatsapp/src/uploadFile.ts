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
 * Returns the media id.
 */
export const uploadFile = (
  graph: GraphApi,
  { config, credentials }: WhatsAppAccount,
  file: OutboundFile
): Effect.Effect<string, GraphFailure> =>
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
    return id
  }).pipe(
    // A lost or failed upload is no lost send.
    Effect.mapError((failure) =>
      failure._tag === "Unanswered" || (failure._tag === "Refused" && failure.status >= 500)
        ? { _tag: "Unreachable" as const, reason: failure.reason }
        : failure
    )
  )

/** What Meta takes as an image. */
export const imageLimits = { types: ["image/jpeg", "image/png"], bytes: 5 * 1_048_576 }

/** What Meta takes as a video. */
export const videoTypes = ["video/mp4", "video/3gpp"]

const audioTypes = ["audio/aac", "audio/amr", "audio/mpeg", "audio/mp4", "audio/ogg"]

const openXml = "application/vnd.openxmlformats-officedocument"

/** What Meta takes as an upload (docs/reference/whatsapp.md#files-that-are-sent). */
export const uploadTypes: ReadonlyArray<string> = [
  ...imageLimits.types,
  "image/webp",
  ...videoTypes,
  ...audioTypes,
  "audio/opus",
  "text/plain",
  "application/pdf",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  `${openXml}.wordprocessingml.document`,
  `${openXml}.spreadsheetml.sheet`,
  `${openXml}.presentationml.presentation`
]

/** How a file is sent: what Meta does not show goes as a document. */
export const mediaKind = ({ contentType, size }: OutboundFile, caption: string): UploadedFile["kind"] => {
  if (imageLimits.types.includes(contentType)) return size <= imageLimits.bytes ? "image" : "document"
  if (videoTypes.includes(contentType)) return "video"
  return audioTypes.includes(contentType) && caption === "" ? "audio" : "document"
}

/** How a file in the header of a template is sent: as the header wants it. */
export const headerKind = ({ type }: OutboundFile): UploadedFile["kind"] =>
  type === "image" || type === "video" ? type : "document"
