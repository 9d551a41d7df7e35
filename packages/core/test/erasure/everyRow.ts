import { Effect } from "effect"
import { keys, type RowOf, type TableName } from "../../src/ports/Changes.js"
import { type AnyLookup, lookup, Storage } from "../../src/ports/Storage.js"

/** All rows of all tables. */
const everyRow = Effect.flatMap(Storage, (storage) =>
  Effect.map(
    Effect.forEach(Object.keys(keys) as Array<TableName>, (table) =>
      Effect.map(storage.read({ rows: lookup(table, {}) as AnyLookup }), ({ rows }) =>
        rows.map((row) => ({ table, row }) as unknown as RowOf<TableName>)
      )
    ),
    (tables) => tables.flat()
  )
)

/** The tables with a row that contains the text, ignoring case. `leftOut` names fields (`table.field`) to skip. */
export const tablesWith = (text: string, leftOut: ReadonlyArray<string> = []) =>
  Effect.map(everyRow, (rows) => [
    ...new Set(
      rows
        .filter(({ row, table }) =>
          Object.entries(row).some(
            ([field, value]) =>
              !leftOut.includes(`${table}.${field}`) &&
              JSON.stringify(value)?.toLowerCase().includes(text.toLowerCase())
          )
        )
        .map(({ table }) => table)
    )
  ])

/** Whether a workspace has no jobs but those that recover events a minute after an endpoint was made. */
export const isQuiet = (workspaceId: string) =>
  Effect.map(
    Effect.flatMap(Storage, (storage) =>
      storage.list({ from: "jobs", where: { workspaceId }, after: null, limit: 100 })
    ),
    (jobs) => jobs.every(({ payload }) => payload?.task === "recover_endpoint")
  )
