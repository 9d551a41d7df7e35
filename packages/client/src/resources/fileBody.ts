import type { FileBody } from "../transport/attempt.js"
import { headerText } from "../transport/Settings.js"

/** A file to upload. */
export interface UploadInput {
  readonly file: Uint8Array | Blob
  /** For example `image/png`. Default: that of the `Blob`, else the bytes decide. */
  readonly contentType?: string | undefined
  /** Shown to the customer where the channel shows names. Default: that of a `File`. */
  readonly fileName?: string | undefined
}

/** The body of an upload, read once, because retries repeat it, and the name of its file. */
export const fileBody = async ({
  file,
  ...input
}: UploadInput): Promise<{ readonly body: FileBody; readonly fileName: string | undefined }> => {
  const { contentType = "type" in file && file.type !== "" ? file.type : "application/octet-stream" } = input
  const { fileName = "name" in file && typeof file.name === "string" ? file.name : undefined } = input
  const bytes = file instanceof Uint8Array ? file : new Uint8Array(await file.arrayBuffer())
  return { body: { bytes, contentType: headerText("contentType", contentType, 255) }, fileName }
}
