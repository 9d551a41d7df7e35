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
        return {
          all: (parameters) => statement.all(...parameters),
          values: (parameters) => {
            statement.raw(true)
            try {
              return statement.all(...parameters) as unknown as ReadonlyArray<ReadonlyArray<unknown>>
            } finally {
              statement.raw(false)
            }
          }
        }
      },
      close: () => database.close()
    }
  }
})
