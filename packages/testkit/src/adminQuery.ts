import { Effect } from "effect"
import Pg from "pg"

/** Runs a statement on a new connection outside of every pool. Dies on failure. */
export const adminQuery = (url: string, statement: string): Effect.Effect<ReadonlyArray<any>> =>
  Effect.promise(async () => {
    const client = new Pg.Client({ connectionString: url })
    client.on("error", () => {})
    await client.connect()
    try {
      return (await client.query(statement)).rows
    } finally {
      await client.end().catch(() => {})
    }
  })
