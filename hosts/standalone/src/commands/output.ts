import { Options } from "@effect/cli"
import { maskedUrl } from "@parley/core"
import { Console, Effect } from "effect"
import type { Page, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { cell, type Layout, layoutOf, rowOf } from "./table.js"

/** The option of every command with output. */
export const jsonOption = Options.boolean("json").pipe(
  Options.withDescription("Print JSON for programs; a list is printed as one object per line")
)

/** The width of the terminal in columns; null if stdout is not a terminal, or its width is unknown. */
export const terminalWidth = (): number | null => (process.stdout.isTTY && process.stdout.columns) || null

/** Prints one resource: a line for each field, or one JSON document. */
export const printOne = (json: boolean, resource: Resource): Effect.Effect<void> => {
  if (json) return Console.log(JSON.stringify(resource, null, 2))
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Console.log(
    Object.entries(resource)
      .map(([name, value]) => `${name.padEnd(width)}  ${cell(shown(name, value))}`)
      .join("\n")
  )
}

/** A field as a person reads it; `--json` has the whole URL. */
const shown = (name: string, value: unknown): unknown =>
  name === "url" && typeof value === "string" ? maskedUrl(value) : value

/** The rows to print: a page of a list, or a complete list. */
export type Rows = Pick<Page, "rows" | "hasMore"> & Partial<Pick<Page, "next">>

/** A column of a table: a field, or a heading with a function of the row. */
export type Column = string | readonly [heading: string, value: (row: Resource) => unknown]

/**
 * Prints a list as a table of these columns, or one JSON object per line. Further pages are printed as they are read.
 * stdout has only rows; stderr reports an empty list and further rows.
 */
export const printList = (
  json: boolean,
  page: Rows,
  columns: ReadonlyArray<Column>
): Effect.Effect<void, CommandFailed> => (json ? printLines(page) : printTable(page, columns, null))

const printLines = ({ next, rows }: Rows): Effect.Effect<void, CommandFailed> =>
  Effect.zipRight(
    rows.length === 0 ? Effect.void : Console.log(rows.map((row) => JSON.stringify(row)).join("\n")),
    next ? Effect.flatMap(next, printLines) : Effect.void
  )

/** `given`: the layout of the previous pages. */
const printTable = (
  { hasMore, next, rows }: Rows,
  columns: ReadonlyArray<Column>,
  given: Layout | null
): Effect.Effect<void, CommandFailed> =>
  Effect.suspend(() => {
    if (given === null && rows.length === 0) return Console.error("None.")
    const head = columns.map((column) =>
      (typeof column === "string" ? column.replaceAll("_", " ") : column[0]).toUpperCase()
    )
    const cells = rows.map((row) =>
      columns.map((column) => cell(typeof column === "string" ? shown(column, row[column]) : column[1](row)))
    )
    const layout = given ?? layoutOf([head, ...cells], terminalWidth())
    const lines = (given === null ? [head, ...cells] : cells).map((line) => rowOf(line, layout))
    return Console.log(lines.join("\n")).pipe(
      Effect.zipRight(next ? Effect.flatMap(next, (further) => printTable(further, columns, layout)) : Effect.void),
      Effect.zipRight(hasMore ? Console.error("… and older ones: see --limit and --all") : Effect.void)
    )
  })
