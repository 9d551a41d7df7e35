import { createHash } from "node:crypto"
import type { Writable } from "node:stream"
import { Effect, Redacted, type Scope } from "effect"
import Pg from "pg"
import type { PostgresOptions } from "./PostgresOptions.js"

const int8 = 20

/** Every statement finds its rows by an index; a plan made while tables were small must not scan them when they are big. */
const settings: ReadonlyArray<string> = [
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
  "jit=off"
]

/** The same as an option of the connection. */
export const sessionOptions = settings.map((setting) => `-c ${setting}`).join(" ")

const names = new Map<string, string>()

/** A name for a statement, the same in every process. */
const nameOf = (text: string): string => {
  let name = names.get(text)
  if (name === undefined) {
    name = `parley_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`
    // texts come from a fixed stock; lists with many filters might still add up
    if (names.size < 1_000) names.set(text, name)
  }
  return name
}

/**
 * A client whose statements with parameters are parsed and planned once for each connection, and which sends what it is
 * given in one turn of the event loop with one write: writing to a socket costs more than making a statement.
 */
const clientClass = (prepare: boolean): typeof Pg.Client =>
  class extends Pg.Client {
    private corked = false

    // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
    override query(...given: ReadonlyArray<any>): any {
      this.cork()
      const [text, values, callback] = given
      if (prepare && typeof text === "string" && Array.isArray(values) && values.length > 0) {
        // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
        return super.query({ name: nameOf(text), text, values } as any, callback)
      }
      // biome-ignore lint/suspicious/noExplicitAny: the overloads of the driver
      return (super.query as any)(...given)
    }

    private cork() {
      if (this.corked) return
      this.corked = true
      const { stream } = (this as unknown as { readonly connection: { readonly stream: Writable } }).connection
      stream.cork()
      process.nextTick(() => {
        this.corked = false
        stream.uncork()
      })
    }
  }

/** A pool that opens connections when they are needed, so that a database that is down at first is no error. */
export const makePool = (
  options: PostgresOptions,
  /** After how long, in ms, a statement that is not answered is given up, and its connection with it; null: never. */
  statementTimeoutMs: number | null
): Effect.Effect<Pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const pool = new Pg.Pool({
        Client: clientClass(options.prepare !== false),
        connectionString: Redacted.value(options.url),
        max: options.maxConnections ?? 12,
        connectionTimeoutMillis: options.connectTimeoutMs ?? 2_000,
        application_name: "parley",
        keepAlive: true,
        ...(statementTimeoutMs === null ? {} : { query_timeout: statementTimeoutMs }),
        // statements that do not wait for each other are sent at once
        pipeline: true,
        options: sessionOptions,
        types: {
          // times and counts are well below 2^53
          // biome-ignore lint/suspicious/noExplicitAny: the driver's own type has overloads by format
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
