import { once } from "node:events"
import { createWriteStream } from "node:fs"
import { finished } from "node:stream/promises"
import { stringify } from "csv-stringify/sync"
import { cellOf } from "./cells.js"
import { errorColumns } from "./columns.js"
import type { FileRow, Format } from "./readContacts.js"

/** A file of the rejected rows, each with its number and the reason. After correction it can be imported. */
export interface RejectedRows {
  readonly header: (names: ReadonlyArray<string>) => void
  readonly add: (row: FileRow, why: string) => void
  /** Resolves when everything is written; rejects if a write failed. */
  readonly close: () => Promise<void>
}

/** Opens the file; rejects if it cannot be written. */
export const rejectedRows = async (path: string, format: Format): Promise<RejectedRows> => {
  const stream = createWriteStream(path)
  await once(stream, "open")
  let failure: Error | null = null
  stream.on("error", (error) => {
    failure = error
  })
  let columns: ReadonlyArray<string> = []
  const kept = (cells: ReadonlyArray<string>) =>
    cells.filter((_, index) => !errorColumns.includes(columns[index] ?? ""))
  return {
    header: (names) => {
      columns = names
      stream.write(stringify([[...errorColumns, ...kept(names)]]))
    },
    add: ({ contact, given, row }, why) => {
      if (format === "csv")
        stream.write(stringify([[String(row), cellOf(why), ...kept(given as ReadonlyArray<string>)]]))
      else {
        const said = typeof contact === "string" ? { line: given } : contact
        stream.write(`${JSON.stringify({ import_row: row, import_error: why, ...withoutErrors(said) })}\n`)
      }
    },
    close: async () => {
      stream.end()
      if (failure === null) await finished(stream)
      if (failure !== null) throw failure
    }
  }
}

const withoutErrors = (contact: object): object =>
  Object.fromEntries(Object.entries(contact).filter(([name]) => !errorColumns.includes(name)))
