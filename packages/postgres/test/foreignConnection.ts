import { Effect, type Scope } from "effect"
import Pg from "pg"

/** A connection outside of every pool, until the scope ends. Its statements run one after the other. */
export const foreignConnection = (url: string): Effect.Effect<Pg.Client, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Pg.Client({ connectionString: url })
      client.on("error", () => {})
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end().catch(() => {}))
  )
