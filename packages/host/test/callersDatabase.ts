import Sqlite from "better-sqlite3"
import Pg from "pg"
import type { CallersTransaction } from "../src/index.js"

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
    const database = new Sqlite(url.slice("sqlite:".length))
    const run = async (text: string, values: Array<unknown> = []) => {
      const statement = database.prepare<Array<unknown>, { [name: string]: unknown }>(text)
      if (statement.reader) return statement.all(...values)
      statement.run(...values)
      return []
    }
    return new CallersDatabase(database, run, async () => void database.close())
  }
}
