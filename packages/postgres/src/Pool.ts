import { Effect, Redacted, type Scope } from "effect"
import Pg from "pg"
import { borrowedClientClass } from "./BorrowedClient.js"
import { Cork } from "./Cork.js"
import type { Hosts } from "./Hosts.js"
import { makeHosts, readOnly } from "./Hosts.js"
import { type AnyOptions, connectTimeoutOf, maxConnectionsOf } from "./PostgresOptions.js"
import { queryCall } from "./queryCall.js"
import { setForSession, type Timeouts } from "./sessionSettings.js"
import { typeParsers } from "./typeParsers.js"

/** A client that prepares statements with parameters once for each connection. */
const clientClass = (hosts: Hosts, prepare: boolean): typeof Pg.Client =>
  class extends Pg.Client {
    private readonly cork = new Cork()

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
      this.cork.hold(this)
      return super.query(...queryCall(given, prepare, () => void this.end()))
    }
  }

/** A pool that connects on demand, so that the host can start while the database is down. */
export const makePool = (options: AnyOptions, timeouts: Timeouts): Effect.Effect<Pg.Pool, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const connectTimeoutMs = connectTimeoutOf(options)
      const isShared = options.directUrl !== undefined
      // A shared connection may have prepared a statement of that name for another client.
      const prepare = !isShared
      const settings = setForSession(options.schema, timeouts)
      const { statementTimeoutMs } = timeouts
      const hosts = "pool" in options ? null : makeHosts(Redacted.value(options.url), connectTimeoutMs)
      const pool = new Pg.Pool({
        ...("pool" in options
          ? {
              Client: borrowedClientClass(options.pool, {
                prepare,
                connectTimeoutMs,
                statementTimeoutMs,
                // What the caller set for its own statements, such as a timeout, is not for Parley's.
                settings: isShared ? null : `RESET ALL; ${settings}; SET application_name = 'parley'`
              })
            }
          : {}),
        ...(hosts === null ? {} : ownConnections(hosts, prepare, statementTimeoutMs)),
        max: maxConnectionsOf(options),
        connectionTimeoutMillis: connectTimeoutMs,
        onConnect: async (client: Pg.ClientBase) => {
          // Settings of a shared connection would reach other clients of the pooler.
          if (hosts === null) return
          if (!isShared) await client.query(settings)
          if (!hosts.several) return
          const { rows } = await client.query<{ read_only: boolean }>(readOnly)
          if (rows[0]?.read_only === false) return
          hosts.forget()
          throw new Error("the server accepts no writes any more")
        }
      })
      // The server closes idle connections. Without a handler, the error event would end the process.
      pool.on("error", () => {})
      return pool
    }),
    (pool) => Effect.promise(() => pool.end())
  )

const ownConnections = (hosts: Hosts, prepare: boolean, statementTimeoutMs: number | undefined): Pg.PoolConfig => ({
  Client: clientClass(hosts, prepare),
  connectionString: hosts.firstUrl,
  application_name: "parley",
  keepAlive: true,
  ...(statementTimeoutMs === undefined ? {} : { query_timeout: statementTimeoutMs }),
  // Independent statements are sent without waiting for replies.
  pipeline: true,
  types: typeParsers
})
