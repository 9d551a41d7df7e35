import Pg from "pg"
import type { CallersTransaction } from "../src/index.js"

const betterSqlite3 = await import("better-sqlite3").then(
  (module) => module.default,
  () => undefined
)

/** The caller's SQLite: `better-sqlite3`, or `node:sqlite` where that is not installed; as Parley takes them. */
export const callersDriver = betterSqlite3 === undefined ? "node:sqlite" : "better-sqlite3"

const openSqlite = (file: string): SqliteHandle => {
  if (betterSqlite3 !== undefined) return new betterSqlite3(file) as unknown as SqliteHandle
  const { DatabaseSync } = process.getBuiltinModule("node:sqlite") as any
  return new DatabaseSync(file)
}

interface SqliteHandle {
  readonly prepare: (statement: string) => {
    /** False for statements without a result; of `better-sqlite3` only, which refuses `all` for them. */
    readonly reader?: boolean
    readonly all: (...values: ReadonlyArray<unknown>) => Array<{ readonly [name: string]: unknown }>
    readonly run: (...values: ReadonlyArray<unknown>) => unknown
  }
  readonly close: () => void
}

/** A connection of the caller to Parley's database. */
export class CallersDatabase {
  private constructor(
    readonly transaction: CallersTransaction,
    readonly run: (
      statement: string,
      values?: Array<unknown>
    ) => Promise<ReadonlyArray<{ readonly [name: string]: unknown }>>,
    readonly close: () => Promise<void>
  ) {}

  static async open(url: string): Promise<CallersDatabase> {
    if (url.startsWith("postgres")) {
      const client = new Pg.Client(url)
      await client.connect()
      return new CallersDatabase(
        client,
        async (statement, values) => (await client.query(statement, values)).rows,
        () => client.end()
      )
    }
    const database = openSqlite(url.slice("sqlite:".length))
    const run = async (text: string, values: Array<unknown> = []) => {
      const statement = database.prepare(text)
      if (statement.reader !== false) return statement.all(...values)
      statement.run(...values)
      return []
    }
    return new CallersDatabase(database, run, async () => void database.close())
  }
}
