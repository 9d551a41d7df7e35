import type { Redacted } from "effect"

/** The database, and the options of its connections. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** The maximum number of connections in the pool. Default: 12. */
  readonly maxConnections?: number
  /** Connect timeout. Default: 2,000 ms. */
  readonly connectTimeoutMs?: number
  /**
   * Statement timeout, after which the connection is closed, so that a database that hangs is treated as unavailable.
   * Migrations have no timeout. Default: 10,000 ms.
   */
  readonly statementTimeoutMs?: number
  /**
   * Whether statements are prepared by name, once for each connection. Set it to false behind a pooler that shares
   * connections between transactions and does not support prepared statements. Default: true.
   */
  readonly prepare?: boolean
  /**
   * Whether missing migrations are run at start; otherwise a database that lacks them fails with `SchemaMismatch`.
   * Default: true.
   */
  readonly migrate?: boolean
}
