import type { Answer } from "../Answer.js"
import type { CreateOptions, RequestOptions } from "../ClientOptions.js"
import type { Upload } from "../Contract.js"
import type { Call } from "../transport/Call.js"
import { fileBody, type UploadInput } from "./fileBody.js"
import { segment } from "./lists.js"

/** Files that are uploaded to send them (docs/reference/content.md#uploads). */
export interface Attachments {
  /** `POST /attachments`: stores a file. Its `id` is the `attachment_id` in the `attachments` of messages. */
  readonly create: (input: UploadInput, options?: CreateOptions) => Promise<Answer<Upload>>
  /** `GET /attachments/{id}`: until it expires. */
  readonly get: (id: string, options?: RequestOptions) => Promise<Answer<Upload>>
}

export const attachments = (call: Call): Attachments => ({
  create: async (input, options = {}) => {
    const { body, fileName } = await fileBody(input)
    return call.upload("/attachments", { file_name: fileName }, body, options)
  },
  get: async (id, options = {}) => call.get(`/attachments/${segment(id)}`, {}, options)
})
