import { createHash } from "node:crypto"
import type { Writable } from "node:stream"
import { Effect, Redacted, type Scope } from "effect"
import Pg from "pg"
import type { PostgresOptions } from "./PostgresOptions.js"

const int8 = 20

/**
 * Every statement finds its rows by an index. A plan made while a table was small must not scan the table after it has
 * grown.
 */
const settings: ReadonlyArray<string> = [
  "enable_seqscan=off",
  "enable_hashjoin=off",
  "enable_mergejoin=off",
  "plan_cache_mode=force_generic_plan",
  "jit=off"
]

/** {@link settings} as a connection option. */
export const sessionOptions = settings.map((setting) => `-c ${setting}`).join(" ")

const names = new Map<string, string>()

/** A name for a statement, the same in every process. */
const nameOf = (text: string): string => {
  let name = names.get(text)
  if (name === undefined) {
    name = `parley_${createHash("sha256").update(text).digest("base64url").slice(0, 22)}`
    // There is a fixed number of statements, but lists with many filters have many texts: bound the map.
    if (names.size < 1_000) names.set(text, name)
  }
  return name
}

/**
 * A client that prepares statements with parameters once for each connection. All statements of one event loop
 * iteration are sent with one write, since a socket write costs more than building a statement.
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

/** A pool that connects on demand, so that the host can start while the database is down. */
export const makePool = (
  options: PostgresOptions,
  /** Statement timeout in ms; the connection is closed after it. Null: no timeout. */
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
        // Independent statements are sent without waiting for replies.
        pipeline: true,
        options: sessionOptions,
        types: {
          // times and counts are well below 2^53
          // biome-ignore lint/suspicious/noExplicitAny: the driver's own type has overloads by format
          getTypeParser: ((oid: number, format?: any) =>
            oid === int8 ? Number : Pg.types.getTypeParser(oid, format)) as typeof Pg.types.getTypeParser
        }
      })
      // The server closes idle connections. Without a handler, the error event would end the process.
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )
