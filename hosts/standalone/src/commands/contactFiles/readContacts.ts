import { open } from "node:fs/promises"
import { Readable } from "node:stream"
import { parse } from "csv-parse"
import type { Resource } from "../AdminClient.js"
import { type CustomField, contactOf, headerProblem, namesCustomField } from "./columns.js"

export type Format = "csv" | "ndjson"

/** A row of a file, numbered from 1: in a CSV file the header is row 1. */
export interface FileRow {
  readonly row: number
  /** The contact in the API's shape, or why the row is invalid. */
  readonly contact: Resource | string
  /** The row's original text, for the file of rejected rows. */
  readonly given: ReadonlyArray<string> | string
}

/** The whole file cannot be read; `message` is the reason for the user. */
export class UnreadableFile extends Error {}

/** Reads the workspace's custom fields, whose types determine how cells are parsed. */
export type CustomFieldsOf = () => Promise<ReadonlyArray<CustomField>>

/** The maximum size of a row, in bytes: a longer one has an unclosed quote. */
const maxRowLength = 1_000_000

/** The format by the file's name; null if the name has no known extension. */
export const formatOf = (path: string): Format | null =>
  /\.csv$/i.test(path) ? "csv" : /\.(ndjson|jsonl)$/i.test(path) ? "ndjson" : null

/** The bytes as text, in chunks, without a byte order mark. */
async function* textOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true })
  try {
    for await (const piece of bytes) yield decoder.decode(piece, { stream: true })
    yield decoder.decode()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new UnreadableFile("The file is not UTF-8: save it as CSV UTF-8.")
  }
}

/** The rows of an NDJSON file: one object per line. */
async function* ndjsonRows(text: AsyncIterable<string>): AsyncGenerator<FileRow> {
  let row = 0
  for await (const line of linesOf(text)) {
    row += 1
    if (line.trim() !== "") yield { row, contact: parsed(line), given: line }
  }
}

async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ""
  for await (const piece of text) {
    const lines = `${rest}${piece}`.split("\n")
    rest = lines.pop() ?? ""
    if (rest.length > maxRowLength) throw new UnreadableFile("The file has a line longer than a contact can be.")
    yield* lines
  }
  yield rest
}

const parsed = (line: string): Resource | string => {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : "must be an object"
  } catch {
    return "is not valid JSON"
  }
}

/** The separator that occurs most often in the header. */
const separatorOf = (beginning: string): string => {
  const header = beginning.split(/[\r\n]/, 1)[0] ?? ""
  const counts = [",", ";", "\t"].map((separator) => [separator, header.split(separator).length] as const)
  return counts.reduce((most, one) => (one[1] > most[1] ? one : most))[0]
}

/** The rows of a CSV file after its header. Empty lines are counted and skipped. */
async function* csvRows(
  text: Readable,
  separator: string,
  customFieldsOf: CustomFieldsOf,
  onHeader: (header: ReadonlyArray<string>) => void
): AsyncGenerator<FileRow> {
  const parser = parse({ delimiter: separator, relax_column_count: true, max_record_size: maxRowLength })
  text.on("error", (error) => parser.destroy(error)).pipe(parser)
  let header: ReadonlyArray<string> | null = null
  let customFields: ReadonlyArray<CustomField> = []
  let row = 0
  try {
    for await (const cells of parser as AsyncIterable<ReadonlyArray<string>>) {
      row += 1
      if (cells.every((cell) => cell.trim() === "")) continue
      if (header === null) {
        header = cells.map((cell) => cell.trim())
        if (header.some(namesCustomField)) customFields = await customFieldsOf()
        const problem = headerProblem(header, customFields)
        if (problem !== null) throw new UnreadableFile(problem)
        onHeader(header)
      } else if (cells.length !== header.length) {
        yield { row, contact: `has ${cells.length} cells, but the header has ${header.length}`, given: cells }
      } else yield { row, contact: contactOf(header, cells, customFields), given: cells }
    }
  } catch (error) {
    if (error instanceof Error && "code" in error && String(error.code).startsWith("CSV_")) {
      throw new UnreadableFile(`Invalid CSV from row ${row + 1}: ${error.message}`)
    }
    throw error
  } finally {
    text.destroy()
  }
}

/** The rows of a file, read on demand: memory use does not depend on the file's length. */
export async function* readContacts(
  path: string,
  format: Format,
  customFieldsOf: CustomFieldsOf,
  onHeader: (header: ReadonlyArray<string>) => void = () => {}
): AsyncGenerator<FileRow> {
  const file = await open(path)
  try {
    const beginning = Buffer.alloc(4_096)
    const { bytesRead } = await file.read(beginning, 0, beginning.length, 0)
    const text = textOf(file.createReadStream({ start: 0, autoClose: false }))
    const separator = separatorOf(beginning.toString("utf8", 0, bytesRead))
    yield* format === "ndjson" ? ndjsonRows(text) : csvRows(Readable.from(text), separator, customFieldsOf, onHeader)
  } finally {
    await file.close()
  }
}
