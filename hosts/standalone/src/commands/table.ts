import columnsOf from "string-width"
import { printable } from "./printable.js"

/**
 * The text of a cell, in one line. Times are shortened, and control characters are escaped, since customers' text must
 * not control the terminal.
 */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined || value === "") return "-"
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cell).join(", ")
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${cell(inner)}`)
      .join(", ")
  }
  return shortTime(String(value)) ?? printable(String(value).replace(/\s+/gu, " "))
}

/** `2026-11-21T03:59:12.123Z` as `2026-11-21 03:59:12Z`. */
const shortTime = (text: string): string | null => {
  const [, day, time] = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(?:\.\d+)?Z$/.exec(text) ?? []
  return day === undefined ? null : `${day} ${time}Z`
}

/** How a table is laid out. */
export interface Layout {
  /** The widths of the columns, in columns of the terminal: wide characters, such as Chinese ones, take two. */
  readonly widths: ReadonlyArray<number>
  /** Whether ids are shown by their ends only, which commands take too. */
  readonly shortIds: boolean
  /** Whether wider cells continue on the next line. */
  readonly wraps: boolean
}

/**
 * The layout of these lines. If `room` is known and the table is wider, ids become short, and then the widest columns
 * shrink until the table fits.
 */
export const layoutOf = (lines: ReadonlyArray<ReadonlyArray<string>>, room: number | null): Layout => {
  const complete = widthsOf(lines)
  if (room === null || excessOf(complete, room) <= 0) return { widths: complete, shortIds: false, wraps: room !== null }
  const widths = widthsOf(lines.map((line) => line.map(shortened)))
  const least = widths.map((_, column) =>
    lines.some((line) => isId(line[column] ?? "")) ? Math.max(narrowest, shortIdLength) : narrowest
  )
  for (;;) {
    const excess = excessOf(widths, room)
    const yields = widths.map((width, column) => width > (least[column] ?? 0))
    const widest = widths.reduce(
      (best, width, column) => (yields[column] && width > (widths[best] ?? 0) ? column : best),
      -1
    )
    const width = widths[widest] ?? 0
    if (excess <= 0 || widest === -1) return { widths, shortIds: true, wraps: true }
    const next = Math.max(least[widest] ?? 0, ...widths.filter((other, column) => yields[column] && other < width))
    widths[widest] = Math.max(width - excess, Math.min(next, width - 1))
  }
}

const widthsOf = (lines: ReadonlyArray<ReadonlyArray<string>>): Array<number> =>
  (lines[0] ?? []).map((_, column) => Math.max(...lines.map((line) => columnsOf(line[column] ?? ""))))

const excessOf = (widths: ReadonlyArray<number>, room: number): number =>
  widths.reduce((sum, width) => sum + width, gap * (widths.length - 1)) - room

/** The end of an id: 12 random digits, where the beginning is a time. */
const shortened = (text: string): string => (isId(text) ? text.slice(-shortIdLength) : text)

/** A row of a table. */
export const rowOf = (cells: ReadonlyArray<string>, { shortIds, widths, wraps }: Layout): string => {
  const columns = cells.map((text, column) =>
    wraps ? wrapped(shortIds ? shortened(text) : text, widths[column] ?? 0) : [text]
  )
  const height = Math.max(1, ...columns.map((lines) => lines.length))
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((lines, column) => {
        const text = lines[line] ?? ""
        return text + " ".repeat(Math.max(0, (widths[column] ?? 0) - columnsOf(text)))
      })
      .join(" ".repeat(gap))
      .trimEnd()
  ).join("\n")
}

/** The lines of a text, broken at spaces where there are some. */
const wrapped = (text: string, width: number): ReadonlyArray<string> => {
  if (columnsOf(text) <= width) return [text]
  const lines: Array<string> = []
  let rest = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment)
  while (fitting(rest, width) < rest.length) {
    const most = Math.max(1, fitting(rest, width))
    const space = rest.lastIndexOf(" ", most)
    const at = space > 0 ? space : most
    lines.push(rest.slice(0, at).join("").trimEnd())
    rest = rest.slice(rest[at] === " " ? at + 1 : at)
  }
  return [...lines, rest.join("")]
}

/** How many of these characters fit into a width. */
const fitting = (characters: ReadonlyArray<string>, width: number): number => {
  let used = 0
  const end = characters.findIndex((character) => {
    used += columnsOf(character)
    return used > width
  })
  return end === -1 ? characters.length : end
}

/**
 * Lines as a table without a header, each column as wide as its longest cell. If `room` is known and the table is
 * wider, cells continue on the next lines.
 */
export const tableOf = (lines: ReadonlyArray<ReadonlyArray<string>>, room: number | null, indent = ""): string => {
  const layout = layoutOf(lines, room === null ? null : room - indent.length)
  return lines
    .flatMap((line) => rowOf(line, layout).split("\n"))
    .map((line) => indent + line)
    .join("\n")
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
const narrowest = 6
const shortIdLength = 12
const isId = (text: string): boolean => /^[0-9a-f]{8}-[0-9a-f]{4}-/.test(text)
