import { Options } from "@effect/cli"
import { Console, type Effect } from "effect"
import type { Resource } from "./AdminClient.js"

/** The option of every command that prints something. */
export const jsonOption = Options.boolean("json").pipe(Options.withDescription("Print JSON, for programs"))

/** Prints one resource: a line for each field. */
export const printOne = (json: boolean, resource: Resource): Effect.Effect<void> => {
  if (json) return Console.log(JSON.stringify(resource, null, 2))
  const width = Math.max(...Object.keys(resource).map((name) => name.length))
  return Console.log(
    Object.entries(resource)
      .map(([name, value]) => `${name.padEnd(width)}  ${cell(value)}`)
      .join("\n")
  )
}

/** Prints a list: a table of these fields. */
export const printList = (
  json: boolean,
  { hasMore, rows }: { readonly rows: ReadonlyArray<Resource>; readonly hasMore: boolean },
  fields: ReadonlyArray<string>
): Effect.Effect<void> => {
  if (json) return Console.log(JSON.stringify(rows, null, 2))
  if (rows.length === 0) return Console.log("None.")
  const lines = [
    fields.map((field) => field.toUpperCase()),
    ...rows.map((row) => fields.map((field) => cell(row[field])))
  ]
  const widths = fields.map((_, column) => Math.max(...lines.map((line) => line[column]?.length ?? 0)))
  const text = lines.map((line) =>
    line
      .map((value, column) => value.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
  return Console.log([...text, ...(hasMore ? ["… and older ones: see --limit"] : [])].join("\n"))
}

const cell = (value: unknown): string => {
  if (value === null || value === undefined) return "-"
  if (Array.isArray(value)) return value.length === 0 ? "-" : value.map(cell).join(", ")
  if (typeof value === "object") {
    return Object.entries(value)
      .map(([name, inner]) => `${name}=${cell(inner)}`)
      .join(", ")
  }
  return String(value)
}
