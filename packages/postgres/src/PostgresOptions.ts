import type { Redacted } from "effect"
import type { CallersPool } from "./CallersPool.js"

interface ConnectionOptions {
  /**
   * A URL of the same database that reaches Postgres itself, for LISTEN and migrations. Set it where a pooler at `url`
   * shares connections between transactions: statements are then not prepared by name, and the role needs the settings
   * of a session (see `docs/operate.md`). Default: `url`.
   */
  readonly directUrl?: Redacted.Redacted
  /**
   * The maximum number of connections for statements. Default: 12; of a caller's pool half of its maximum without the
   * one for LISTEN, at least 2 and at most 12.
   */
  readonly maxConnections?: number
  /** Connect timeout. Default: 2,000 ms. */
  readonly connectTimeoutMs?: number
  /**
   * Statement timeout, after which the connection is closed, so that a database that hangs is treated as unavailable.
   * Migrations have no timeout. Default: 10,000 ms.
   */
  readonly statementTimeoutMs?: number
  /**
   * Whether missing migrations are run at start; otherwise a database that lacks them fails with `SchemaMismatch`.
   * Default: true.
   */
  readonly migrate?: boolean
}

/** The database, and the options of its connections. */
export interface PostgresOptions extends ConnectionOptions {
  /**
   * `postgres://user:password@host:port/database`. Of several hosts, separated by commas, the one that accepts writes is
   * used.
   */
  readonly url: Redacted.Redacted
  /**
   * The schema of the tables, created if it is missing (docs/reference/storage.md#postgres-schemas). Default: the one
   * that the role's `search_path` finds.
   */
  readonly schema?: string
}

/** A pool of the caller, and how much of it is used (docs/reference/storage.md#pools-of-callers). */
export interface PoolOptions extends ConnectionOptions {
  readonly pool: CallersPool
  /** As of {@link PostgresOptions}. Needed, because the caller may have set any `search_path` on a connection. */
  readonly schema: string
}

export type AnyOptions = PostgresOptions | PoolOptions

/** Connect timeout in ms. */
export const connectTimeoutOf = ({ connectTimeoutMs = 2_000 }: AnyOptions): number => connectTimeoutMs

/** Maximum number of connections for statements. One more is for LISTEN. */
export const maxConnectionsOf = (options: AnyOptions): number =>
  options.maxConnections ??
  ("pool" in options ? Math.min(12, Math.max(2, Math.floor(options.pool.options.max / 2) - 1)) : 12)
