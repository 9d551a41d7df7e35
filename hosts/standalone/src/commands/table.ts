import { stripVTControlCharacters } from "node:util"

/** What stands in a cell. Times are short, and nothing that a customer wrote moves the cursor or colours a terminal. */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cell).join(", ")
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${cell(inner)}`)
      .join(", ")
  }
  return shortTime(String(value)) ?? printable(String(value))
}

/** `2026-11-21T03:59:12.123Z` as `2026-11-21 03:59:12Z`. */
const shortTime = (text: string): string | null => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? []
  return day === undefined ? null : `${day} ${time}Z`
}

const printable = (text: string): string =>
  stripVTControlCharacters(text)
    .replace(/\s+/gu, " ")
    // Control characters, and those that turn the direction of what follows.
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")

/** The widths of a table's columns, in characters. */
export type Widths = ReadonlyArray<number>

/**
 * How wide each column of these lines is. Where `room` is known, the widest columns give way until the table fits: not those
 * with ids in them, which are there to be copied.
 */
export const widthsOf = (lines: ReadonlyArray<ReadonlyArray<string>>, room: number | null): Widths => {
  const columns = lines[0]?.map((_, column) => lines.map((line) => line[column] ?? "")) ?? []
  const widths = columns.map((cells) => Math.max(...cells.map(lengthOf)))
  if (room === null) return widths
  const yields = columns.map((cells) => !cells.some(isId))
  for (;;) {
    const excess = widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) - room
    const widest = widths.reduce(
      (best, width, column) => (yields[column] && width > (widths[best] ?? 0) ? column : best),
      -1
    )
    const width = widths[widest] ?? 0
    if (excess <= 0 || width <= narrowest) return widths
    const next = Math.max(narrowest, ...widths.filter((other, column) => yields[column] && other < width))
    widths[widest] = Math.max(width - excess, Math.min(next, width - 1))
  }
}

/** A line of a table. Cells that are too long end with an ellipsis where the table has to fit in `room`. */
export const lineOf = (cells: ReadonlyArray<string>, widths: Widths, room: number | null): string =>
  cells
    .map((text, column) => {
      const width = widths[column] ?? 0
      const characters = [...text]
      const shown =
        room !== null && characters.length > width && !isId(text) ? `${characters.slice(0, width - 1).join("")}…` : text
      return shown + " ".repeat(Math.max(0, width - lengthOf(shown)))
    })
    .join(" ".repeat(gap))
    .trimEnd()

const gap = 2
const narrowest = 8
const lengthOf = (text: string): number => [...text].length
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(text)
