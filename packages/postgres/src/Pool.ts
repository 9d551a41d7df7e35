import { createHash } from "node:crypto"
import type { Writable } from "node:stream"
import { Effect, Redacted, type Scope } from "effect"
import Pg from "pg"
import type { Hosts } from "./Hosts.js"
import { makeHosts, readOnly } from "./Hosts.js"
import { connectTimeoutOf, type PostgresOptions } from "./PostgresOptions.js"
import { setForSession } from "./sessionSettings.js"

const int8 = 20

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
const clientClass = (hosts: Hosts, prepare: boolean): typeof Pg.Client =>
  class extends Pg.Client {
    private corked = false

    override connect(): Promise<Pg.Client>
    override connect(callback: (error: Error) => void): void
    override connect(callback?: (error: Error) => void): Promise<Pg.Client> | undefined {
      // The pool calls with a callback.
      if (callback === undefined) return super.connect()
      const connect = () =>
        super.connect((error: Error | null) => {
          if (error) hosts.forget()
          callback(error as Error)
        })
      if (hosts.several) {
        hosts.writable().then((url) => {
          const { hostname, port } = new URL(url)
          this.host = hostname.replace(/^\[(.*)\]$/, "$1")
          this.port = port === "" ? 5432 : Number(port)
          connect()
        }, callback)
      } else connect()
      return
    }

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
      const hosts = makeHosts(Redacted.value(options.url), connectTimeoutOf(options))
      const isShared = options.directUrl !== undefined
      const pool = new Pg.Pool({
        // A shared connection may have prepared a statement of that name for another client.
        Client: clientClass(hosts, !isShared),
        connectionString: hosts.firstUrl,
        max: options.maxConnections ?? 12,
        connectionTimeoutMillis: connectTimeoutOf(options),
        application_name: "parley",
        keepAlive: true,
        ...(statementTimeoutMs === null ? {} : { query_timeout: statementTimeoutMs }),
        // Independent statements are sent without waiting for replies.
        pipeline: true,
        onConnect: async (client: Pg.ClientBase) => {
          // Settings of a shared connection would reach other clients of the pooler.
          if (!isShared) await client.query(setForSession(options.schema))
          if (!hosts.several) return
          const { rows } = await client.query<{ read_only: boolean }>(readOnly)
          if (rows[0]?.read_only === false) return
          hosts.forget()
          throw new Error("the server accepts no writes any more")
        },
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
