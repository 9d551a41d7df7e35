import Pg from "pg"
import { splitHosts } from "./splitHosts.js"

/** The writable server of a URL with one or several hosts. */
export interface Hosts {
  /** Whether the URL names several hosts. If not, no server is asked. */
  readonly several: boolean
  /** The URL of the first host: user, password, database and options are the same for all. */
  readonly firstUrl: string
  /** The URL of the server that accepts writes. Rejects if no host does. */
  readonly writable: () => Promise<string>
  /** Asks the servers again at the next connection: the last one could not be reached, or accepts no writes. */
  readonly forget: () => void
}

/** Whether the server of a connection refuses writes: a standby, or one whose role or database is read-only. */
export const readOnly =
  "SELECT pg_is_in_recovery() OR current_setting('default_transaction_read_only')::boolean AS read_only"

/** Resolves with the URL if its server accepts writes. */
const probe = async (url: string, timeoutMs: number): Promise<string> => {
  const client = new Pg.Client({
    connectionString: url,
    application_name: "parley probe",
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs
  })
  client.on("error", () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ read_only: boolean }>(readOnly)
    if (rows[0]?.read_only !== false) throw new Error(`${new URL(url).host} accepts no writes`)
    return url
  } finally {
    client.end().catch(() => {})
  }
}

/**
 * The driver connects to a single host. With several, all are asked at once, since one that is down may not answer
 * before the timeout, and the writable one is used until a connection to it fails.
 */
export const makeHosts = (url: string, timeoutMs: number): Hosts => {
  const split = splitHosts(url)
  const urls = typeof split === "string" ? [url] : split
  const firstUrl = urls[0] ?? url
  let found: Promise<string> | null = null
  const forget = () => {
    found = null
  }
  const find = async () => {
    try {
      return await Promise.any(urls.map((one) => probe(one, timeoutMs)))
    } catch (error) {
      forget()
      const reasons = error instanceof AggregateError ? error.errors.map((reason) => `${reason.message}`) : [`${error}`]
      throw Object.assign(new Error(`no host accepts writes: ${reasons.join("; ")}`), { code: "ECONNREFUSED" })
    }
  }
  return {
    several: urls.length > 1,
    firstUrl,
    writable: () => {
      if (urls.length === 1) return Promise.resolve(firstUrl)
      found ??= find()
      return found
    },
    forget
  }
}
