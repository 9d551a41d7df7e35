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
export const fileBody = async (
  input: UploadInput
): Promise<{ readonly body: FileBody; readonly fileName: string | undefined }> => {
  const file: unknown = input?.file
  if (!isFile(file)) throw new TypeError("file must be a Blob, a File or a Uint8Array, and not the path of a file")
  const { contentType = "type" in file && file.type !== "" ? file.type : "application/octet-stream" } = input
  const { fileName = "name" in file && typeof file.name === "string" ? file.name : undefined } = input
  const bytes = ArrayBuffer.isView(file)
    ? new Uint8Array(file.buffer, file.byteOffset, file.byteLength)
    : new Uint8Array(await file.arrayBuffer())
  return { body: { bytes, contentType: headerText("contentType", contentType, 255) }, fileName }
}

/** Not by `instanceof`: a `Buffer` in a test of Jest is not of the test's `Uint8Array`. */
const isFile = (given: unknown): given is Uint8Array<ArrayBuffer> | Blob =>
  ArrayBuffer.isView(given) || typeof (given as Partial<Blob> | null | undefined)?.arrayBuffer === "function"
