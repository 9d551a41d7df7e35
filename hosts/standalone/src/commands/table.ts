import { stripVTControlCharacters } from "node:util"

/**
 * The text of a cell. Times are shortened, and control characters are removed, since customers' text must not control
 * the terminal.
 */
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
    // Control characters, and characters that change the text direction.
    .replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "")

/** The widths of a table's columns, in characters. */
export type Widths = ReadonlyArray<number>

/**
 * The width of each column. If `room` is known, the widest columns shrink until the table fits, except columns with
 * ids, which are there to be copied.
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

/** A line of a table. If the table must fit in `room`, longer cells end with an ellipsis. */
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

/** Lines as a table without a header, each column as wide as its longest cell. */
export const tableOf = (lines: ReadonlyArray<ReadonlyArray<string>>, indent = ""): string => {
  const widths = widthsOf(lines, null)
  return lines.map((line) => indent + lineOf(line, widths, null)).join("\n")
}

/** `ms` in its largest unit; durations shorter than a second in `smallest`. */
export const durationText = (ms: number, smallest: "s" | "ms"): string => {
  const units = [
    ["d", 86_400_000],
    ["h", 3_600_000],
    ["min", 60_000],
    ["s", 1_000]
  ] as const
  const [unit, size] = units.find(([, size]) => ms >= size) ?? [smallest, smallest === "s" ? 1_000 : 1]
  return `${Math.floor(ms / size)} ${unit}`
}

const gap = 2
const narrowest = 8
const lengthOf = (text: string): number => [...text].length
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(text)
