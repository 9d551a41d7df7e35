import { Redacted } from "effect"
import Pg from "pg"
import { borrow } from "./borrow.js"
import { makeHosts } from "./Hosts.js"
import { type AnyOptions, connectTimeoutOf } from "./PostgresOptions.js"

/** A connection outside of Parley's pool. */
export interface OpenClient {
  readonly client: Pg.ClientBase
  readonly close: () => void
}

/** Opens a connection to the writable server, or takes it out of the caller's pool. */
export const openClient = async (options: AnyOptions, name: string): Promise<OpenClient> => {
  const timeoutMs = connectTimeoutOf(options)
  if ("pool" in options) {
    const client = await borrow(options.pool, timeoutMs)
    return { client, close: () => client.release(true) }
  }
  const client = new Pg.Client({
    connectionString: await makeHosts(Redacted.value(options.url), timeoutMs).writable(),
    application_name: name,
    connectionTimeoutMillis: timeoutMs,
    keepAlive: true
  })
  // Errors of a connection without a user must not end the process.
  client.on("error", () => {})
  const close = () => void client.end().catch(() => {})
  await client.connect().catch((error) => {
    close()
    throw error
  })
  return { client, close }
}
