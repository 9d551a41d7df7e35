import type { Answer } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { Upload } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { headerText } from "../transport/Settings.js"
import { segment } from "./lists.js"

/** A file to upload. */
export interface UploadInput {
  readonly file: Uint8Array | Blob
  /** For example `image/png`. Default: that of the `Blob`, else the bytes decide. */
  readonly contentType?: string | undefined
  /** Shown to the customer where the channel shows names. Default: that of a `File`. */
  readonly fileName?: string | undefined
}

/** Files that are uploaded to send them (docs/reference/content.md#uploads). */
export interface Attachments {
  /** `POST /attachments`: stores a file. Its `id` is the `attachment_id` in the `attachments` of messages. */
  readonly create: (input: UploadInput, options?: CreateOptions) => Promise<Answer<Upload>>
  /** `GET /attachments/{id}`: until it expires. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Upload>>
}

export const attachments = (call: Call): Attachments => ({
  create: async ({ file, ...input }, options = {}) => {
    const { contentType = "type" in file && file.type !== "" ? file.type : "application/octet-stream" } = input
    const { fileName = "name" in file && typeof file.name === "string" ? file.name : undefined } = input
    // Read once, because retries repeat it.
    const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer())
    const upload = { bytes, contentType: headerText("contentType", contentType, 255) }
    return call.upload("/attachments", { file_name: fileName }, upload, options)
  },
  get: async (id, options = {}) => call.get(`/attachments/${segment(id)}`, {}, options)
})
