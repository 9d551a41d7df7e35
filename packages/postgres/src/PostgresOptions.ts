import type { Redacted } from "effect"

/** Which database, and how many connections to it. */
export interface PostgresOptions {
  /** `postgres://user:password@host:port/database`. */
  readonly url: Redacted.Redacted
  /** Default: 12. */
  readonly maxConnections?: number
  /** How long a connection may take to come about. Default: 2,000 ms. */
  readonly connectTimeoutMs?: number
  /**
   * After how long a statement that is not answered is given up, so that a database that hangs is noticed as one that is down.
   * Migrations take as long as they take. Default: 10,000 ms.
   */
  readonly statementTimeoutMs?: number
  /**
   * Whether statements are prepared by name, once for each connection. Switch it off behind a pooler that shares
   * connections between transactions and does not know prepared statements. Default: true.
   */
  readonly prepare?: boolean
  /** Whether missing migrations are run at the start; else a database that lacks them is refused. Default: true. */
  readonly migrate?: boolean
}
