import type { Connection, FileLimits } from "@parley/core"

/** The maximum size of a visitor's file in bytes. */
export const maxFileBytes = 10 * 1_048_576

/** The limits of files that the business sends, of our own. */
export const fileLimits: FileLimits = { count: 10, bytes: 25 * 1_048_576 }

/** The media types that visitors may send unless the connection has others. */
const defaultTypes: ReadonlyArray<string> = [
  "image/*",
  "audio/*",
  "video/*",
  "text/plain",
  "text/csv",
  "application/pdf",
  "application/zip",
  "application/msword",
  "application/vnd.ms-excel",
  "application/vnd.ms-powerpoint",
  "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  "application/vnd.oasis.opendocument.text",
  "application/vnd.oasis.opendocument.spreadsheet"
]

/** The media types of the files that visitors of a connection may send; none: no files. */
export const acceptedTypes = ({ file_types }: Connection["config"]): ReadonlyArray<string> =>
  Array.isArray(file_types) ? file_types : defaultTypes
