import { Effect, Redacted, type Scope } from "effect"
import Pg from "pg"
import type { PostgresOptions } from "./PostgresStorage.js"

const int8 = 20

/** Every statement finds its rows by an index; a plan made while tables were small must not scan them when they are big. */
const settings = [
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
  "jit=off"
]

/** A pool that opens connections when they are needed, so that a database that is down at first is no error. */
export const makePool = (options: PostgresOptions): Effect.Effect<Pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pg.Pool({
        connectionString: Redacted.value(options.url),
        max: options.maxConnections ?? 12,
        connectionTimeoutMillis: options.connectTimeoutMs ?? 2_000,
        application_name: "parley",
        options: settings.map((setting) => `-c ${setting}`).join(" "),
        types: {
          // times and counts are well below 2^53
          getTypeParser: ((oid: number, format?: any) =>
            oid === int8 ? Number : Pg.types.getTypeParser(oid, format)) as typeof Pg.types.getTypeParser
        }
      })
      // idle connections that the server drops; unheard, this would end the process
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )
