import type { SqlError } from "@effect/sql/SqlError"
import type { ClaimedJobs, ClaimJobs, Lane, PostponeJobs } from "@parley/core"
import { Context } from "effect"
import type { Rows, Statement } from "./Database.js"
import type { Column, Table } from "./Tables.js"

/** The kind of failure of a statement. */
export type Fault =
  /** The database rejects this data permanently. */
  | "rejected"
  /** A deadlock or a serialisation failure: retry the whole transaction. */
  | "again"
  /** The lock timeout passed while a row was locked. */
  | "locked"
  /** The database does not accept writes at the moment. */
  | "busy"
  /** The connection was lost or could not be opened. */
  | "lost"
  /** Any other failure: disk full, missing rights, missing table. */
  | "unavailable"

/** Rows as the parameters of one statement; the text of the statement depends on `size`. */
export interface Portion {
  readonly size: number
  readonly parameters: ReadonlyArray<unknown>
}

/**
 * Other transactions may lock the rows `shared` as well; they cannot change them. For rows that are locked in turn
 * only.
 */
export type LockStrength = "exclusive" | "shared"

/** Whether a statement waits for locked rows or skips them. */
export type LockMode = "wait" | "skip"

/** The jobs that a claim leased, as stored and in any order. */
export interface Claimed extends Pick<ClaimedJobs, "clearedTo"> {
  readonly rows: Rows
}

/** The differences between the databases. Statements name the rows of a parameter `v` and the table `t`. */
export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /**
   * The maximum number of concurrent commit batches, the maximum number of commits of a batch, and the minimum number
   * of queued commits to start another batch.
   */
  readonly commits: { readonly concurrency: number; readonly maxBatch: number; readonly minWaiting: number }
  /** The maximum number of concurrent read batches, and the minimum number of queued reads to start another batch. */
  readonly reads: { readonly concurrency: number; readonly minWaiting: number }
  /** The maximum number of concurrent lists with a total. */
  readonly countedLists: number
  /** The placeholder of the n-th parameter, from 1. Placeholders occur in a statement in this order, each once. */
  readonly parameter: (n: number) => string
  /**
   * A FROM item `v` of rows whose columns have the names of the model. With `size` 0, the n-th parameter holds the rows
   * as a JSON array; otherwise the rows are a {@link Portion} of that size.
   */
  readonly rows: (n: number, columns: ReadonlyArray<Column>, size: number) => string
  /** The rows as the parameters of one or more statements. */
  readonly portions: (
    columns: ReadonlyArray<Column>,
    rows: ReadonlyArray<Record<string, unknown>>
  ) => ReadonlyArray<Portion>
  /** Whether several writing statements can be combined into one. */
  readonly combines: boolean
  /**
   * The rows of a select as one JSON value of another select, null for no rows. The function is null where this is not
   * faster.
   */
  readonly asJson: ((select: string) => string) | null
  /** A condition: the column has one of the values of the n-th parameter, which is a JSON array. */
  readonly oneOf: (column: Column, n: number) => string
  /**
   * A condition: the column contains this text, compared character by character; `bind` makes a parameter of a value.
   */
  readonly contains: (column: string, text: string, bind: (value: string) => string) => string
  /** The collation that orders text by code points. */
  readonly byCodePoint: string
  /** Converts the driver's rows to rows of the model, in place. */
  readonly decode: (table: Table, rows: ReadonlyArray<Record<string, unknown>>) => void
  /** The locking clause of a select; empty where a transaction has exclusive use of the database. */
  readonly locks: { readonly [S in LockStrength]: string }
  /** The clause that skips rows locked by other transactions; it follows a locking clause. */
  readonly skipLocked: string
  /**
   * A condition that is true when it is the transaction's turn to lock the row `t`: turns are in the order of arrival,
   * shared ones together, and end with the transaction. With `skip`, it is false while others wait for an exclusive
   * turn or have one. Null if the database needs none.
   */
  readonly turn: ((table: string, key: string, strength: LockStrength, mode: LockMode) => string) | null
  /** A FROM item: for each `v`, the rows of `t` that satisfy the conditions, by an index look-up for each `v`. */
  readonly lookUp: (rows: string, table: string, conditions: string, lock: string) => string
  /**
   * A FROM item of `v` and `t`: for each `v`, the first rows of the table in this order that satisfy the conditions.
   */
  readonly firstOf: (rows: string, table: string, conditions: string, order: string, limit: string) => string
  /** Deletes the rows of these keys. */
  readonly remove: (rows: string, table: string, keys: ReadonlyArray<Column>) => string
  /** Deletes the first rows of `t` in this order that satisfy the condition. Skips locked rows. */
  readonly removeFirst: (
    table: string,
    keys: ReadonlyArray<Column>,
    which: { readonly condition: string; readonly order: string; readonly limit: string }
  ) => string
  /** Updates the rows of `t` that satisfy the conditions. */
  readonly update: (rows: string, table: string, conditions: string, assigned: string) => string
  /**
   * Adds the rows `{workspaceId, facet, n}` to `contact_counts`, each list once. It does not wait for other
   * transactions: concurrent transactions that count the same list write different rows.
   */
  readonly addToCounts: (rows: string) => string
  /** The statements that rebuild the lists of contacts from the contacts. */
  readonly contactLists: {
    /**
     * A statement that blocks writes to contacts and their lists until the transaction ends; null where no other
     * process can write.
     */
    readonly lock: string | null
    /** A select of the correct rows of `contact_facets`, in the order of its columns. */
    readonly facets: string
    /** A select of the correct rows of `contact_search`, in the order of its columns. */
    readonly search: string
  }
  /** Begins a writing transaction. */
  readonly begin: (options: { readonly lockTimeoutMs: number }) => Statement
  /**
   * Finds the status of a transaction whose COMMIT got no reply: `nameOf` takes the rows of {@link begin}. Null where
   * every COMMIT gets a reply.
   */
  readonly transactionStatus: {
    readonly nameOf: (rows: Rows) => string
    readonly query: (name: string) => Statement
    readonly statusOf: (rows: Rows) => "committed" | "aborted" | "open" | "unknown"
  } | null
  readonly faultOf: (error: SqlError) => Fault
  /**
   * Takes rate tokens in one statement: JSON rows `{bucket, now, windowMs, limit, count}`; returns `{bucket, openedAt,
   * asked}`.
   */
  readonly takeTokens: (rows: string) => Statement
  /** Reserves slots in one statement: JSON rows `{key, nowUs, takenUs, keptUntil}`; returns `{key, nextUs}`. */
  readonly reserve: (rows: string) => Statement
  /**
   * Selects those of the lanes that have due jobs, as `lane`, with the subjects of the due jobs, as `subjects`: a JSON
   * array, or JSON's null if the lane has many subjects. Null where a claim that takes no job costs little.
   */
  readonly dueLanes: ((lanes: ReadonlyArray<Lane>, now: number) => Statement) | null
  /** Leases due jobs. A power failure may undo it. */
  readonly claimJobs: (request: {
    readonly now: number
    readonly owner: string
    readonly leaseUntil: number
    readonly lanes: ClaimJobs["lanes"]
  }) => Statement
  readonly claimedOf: (rows: Rows) => Claimed
  /** Postpones jobs that are not leased. Skips rows that a concurrent claim has locked. A power failure may undo it. */
  readonly postponeJobs: (postponed: PostponeJobs) => Statement
  /** Expressions that select the fields of `DatabaseHealth`, without a table. */
  readonly health: string
  /** The schema version that this code requires. */
  readonly schemaVersion: number
}
export const Dialect = Context.GenericTag<Dialect>("@parley/sql/Dialect")
