import { Options } from "@effect/cli"
import { Console, Effect } from "effect"
import type { Page, Resource } from "./AdminClient.js"
import type { CommandFailed } from "./CommandFailed.js"
import { cell, lineOf, type Widths, widthsOf } from "./table.js"

/** The option of every command that prints something. */
export const jsonOption = Options.boolean("json").pipe(
  Options.withDescription("Print JSON, for programs; of a list an object a line")
)

/** Prints one resource: a line for each field, or one JSON document. */
export const printOne = (json: boolean, resource: Resource): Effect.Effect<void> => {
  if (json) return Console.log(JSON.stringify(resource, null, 2))
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Console.log(
    Object.entries(resource)
      .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
      .join("\n")
  )
}

/** Rows to print: a page of a list, or some that are all there is. */
export type Rows = Pick<Page, "rows" | "hasMore"> & Partial<Pick<Page, "next">>

/** A column of a table: a field, or a heading and what stands below it. */
export type Column = string | readonly [heading: string, value: (row: Resource) => unknown]

/**
 * Prints a list as a table of these columns, or a JSON object a line; further pages are read and printed as they come. stdout
 * has the rows alone: that there are none, or more, is told on stderr.
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

/** `given`: the widths that the pages before had. */
const printTable = (
  { hasMore, next, rows }: Rows,
  columns: ReadonlyArray<Column>,
  given: Widths | null
): Effect.Effect<void, CommandFailed> =>
  Effect.suspend(() => {
    if (given === null && rows.length === 0) return Console.error("None.")
    const room = process.stdout.isTTY ? process.stdout.columns : null
    const head = columns.map((column) =>
      (typeof column === "string" ? column.replaceAll("_", " ") : column[0]).toUpperCase()
    )
    const cells = rows.map((row) =>
      columns.map((column) => cell(typeof column === "string" ? row[column] : column[1](row)))
    )
    const widths = given ?? widthsOf([head, ...cells], room)
    const lines = (given === null ? [head, ...cells] : cells).map((line) => lineOf(line, widths, room))
    return Console.log(lines.join("\n")).pipe(
      Effect.zipRight(next ? Effect.flatMap(next, (further) => printTable(further, columns, widths)) : Effect.void),
      Effect.zipRight(hasMore ? Console.error("… and older ones: see --limit and --all") : Effect.void)
    )
  })
