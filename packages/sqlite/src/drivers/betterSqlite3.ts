import type BetterSqlite3 from "better-sqlite3"
import type { Driver, Prepared } from "./Driver.js"

/** The driver of the package `better-sqlite3`, which has native code. */
export const betterSqlite3 = (Database: typeof BetterSqlite3): Driver => ({
  name: "better-sqlite3",
  open: (file, { lockTimeoutMs, readOnly = false }) => {
    const database = new Database(file, { readonly: readOnly, timeout: lockTimeoutMs })
    return {
      prepare: (text): Prepared => {
        const statement = database.prepare<Array<unknown>, object>(text)
        if (!statement.reader) {
          const run = (parameters: ReadonlyArray<unknown>) => {
            statement.run(...parameters)
            return []
          }
          return { all: run, values: run }
        }
        // The driver makes objects at twice the cost: it looks up each name again in each row.
        statement.raw(true)
        const names = statement.columns().map(({ name }) => name)
        const values = (parameters: ReadonlyArray<unknown>) =>
          statement.all(...parameters) as ReadonlyArray<ReadonlyArray<unknown>>
        const rowOf = (found: ReadonlyArray<unknown>) => {
          const row: Record<string, unknown> = {}
          for (let i = 0; i < names.length; i++) row[names[i] as string] = found[i]
          return row
        }
        return { all: (parameters) => values(parameters).map(rowOf), values }
      },
      close: () => database.close()
    }
  }
})
