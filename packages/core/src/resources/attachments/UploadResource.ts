import { Schema } from "effect"
import { component, createdAt, field, ids, wire } from "../../kernel/input/wire.js"
import { Timestamp, timestamp } from "../../model/Instant.js"
import type { Upload } from "../../model/Upload.js"
import { kindOf } from "./describeFile.js"

/** An upload on the wire (docs/reference/content.md#uploads). */
export const UploadResource = component("Upload", "A stored file that messages can be sent with.", {
  id: ids.attachment,
  type: Schema.Literal("image", "video", "audio", "document"),
  contentType: wire("content_type", Schema.String, { examples: ["image/jpeg"] }),
  fileName: wire("file_name", Schema.NullOr(Schema.String), { examples: ["parcel.jpg"] }),
  size: field(Schema.Number, { description: "In bytes.", examples: [48_213] }),
  expiresAt: wire("expires_at", Timestamp, {
    description: "End of the time in which messages can be sent with it; messages that have it keep it."
  }),
  createdAt
})

/** The upload in the contract's type. */
export const uploadResource = (upload: Upload): typeof UploadResource.Type => ({
  id: upload.id,
  type: uploadKind(upload.contentType),
  contentType: upload.contentType,
  fileName: upload.fileName,
  size: upload.size,
  expiresAt: upload.expiresAt,
  createdAt: upload.createdAt
})

/** The upload in wire shape, for answers that are kept. */
export const encodeUpload = (upload: Upload): typeof UploadResource.Encoded => ({
  id: upload.id,
  type: uploadKind(upload.contentType),
  content_type: upload.contentType,
  file_name: upload.fileName,
  size: upload.size,
  expires_at: timestamp(upload.expiresAt),
  created_at: timestamp(upload.createdAt)
})

const uploadKind = (contentType: string) => kindOf(contentType) as (typeof UploadResource.Type)["type"]
