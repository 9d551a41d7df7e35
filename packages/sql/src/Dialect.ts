import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import type { ClaimJobs, PostponeJobs } from "@parley/core"
import { Context, type Effect } from "effect"
import type { Column, Table } from "./Tables.js"

/** What a failed statement means for whoever asked for it. */
export type Fault =
  /** This data will never be taken. */
  | "rejected"
  /** Others were in the way: a deadlock, a serialisation failure. The whole transaction again. */
  | "again"
  /** A row stayed locked for longer than we wait. */
  | "locked"
  /** The database lets nobody write right now. */
  | "busy"
  /** The connection is gone, or never came about. */
  | "lost"
  /** Anything else: no room, no rights, no such table. */
  | "unavailable"

/** Rows as parameters of one statement; the text of the statement goes by the size. */
export interface Portion {
  readonly size: number
  readonly parameters: ReadonlyArray<unknown>
}

/** Rows that are locked `shared` may be locked so by others too, and changed by nobody. */
export type LockStrength = "exclusive" | "shared"

/** What differs between the databases. Statements name the JSON rows of a parameter `v` and the table `t`. */
export interface Dialect {
  readonly name: "sqlite" | "postgres"
  /** How many batches of commits may be under way, and how many commits go into one. */
  readonly commits: { readonly concurrency: number; readonly maxBatch: number; readonly worthAnother: number }
  /** How many batches of reads may be under way. */
  readonly reads: { readonly concurrency: number; readonly worthAnother: number }
  /** The placeholder of the n-th parameter, from 1. Placeholders stand in a statement in this order, each once. */
  readonly parameter: (n: number) => string
  /**
   * A FROM item `v` of rows; each column goes by its name in the model. With `size` 0, the n-th parameter holds them as
   * JSON; else they are a {@link Portion} of that size.
   */
  readonly rows: (n: number, columns: ReadonlyArray<Column>, size: number) => string
  /** Rows as the parameters of one statement or several. */
  readonly portions: (
    columns: ReadonlyArray<Column>,
    rows: ReadonlyArray<Record<string, unknown>>
  ) => ReadonlyArray<Portion>
  /** Whether statements may be sent before the ones before them are answered; after one that fails, all others do. */
  readonly pipelines: boolean
  /** Whether several writing statements can go as one. */
  readonly combines: boolean
  /** The rows of a select as one JSON value of another select, null for none; null where that is not worth it. */
  readonly asJson: ((select: string) => string) | null
  /** A condition that a column has one of the values that the n-th parameter holds as a JSON array. */
  readonly oneOf: (column: Column, n: number) => string
  /** A condition that a column has this text somewhere, character by character; `bind` makes a parameter of it. */
  readonly contains: (column: string, text: string, bind: (value: string) => string) => string
  /** What makes a text be ordered by its code points. */
  readonly byCodePoint: string
  /** Turns rows as the driver gives them into rows of the model, in place. */
  readonly decode: (table: Table, rows: ReadonlyArray<Record<string, unknown>>) => void
  /** What locks the selected rows; empty where a transaction has the database to itself. */
  readonly locks: { readonly [S in LockStrength]: string }
  /** What leaves out those that somebody else has locked; follows a lock. */
  readonly skipLocked: string
  /** A FROM item of `v` with the rows of `t` that meet the conditions, found by index for one `v` after the other. */
  readonly lookUp: (rows: string, table: string, conditions: string, lock: string) => string
  /** A FROM item of `v`, and of `t`: for each `v`, the first rows of the table in this order that meet the conditions. */
  readonly firstOf: (rows: string, table: string, conditions: string, order: string, limit: string) => string
  /** Deletes the rows of these keys. */
  readonly remove: (rows: string, table: string, keys: ReadonlyArray<Column>) => string
  /** Deletes the first rows of `t` in this order that meet the condition, and goes round those that are locked. */
  readonly removeFirst: (
    table: string,
    keys: ReadonlyArray<Column>,
    which: { readonly condition: string; readonly order: string; readonly limit: string }
  ) => string
  /** Updates the rows of `t` that meet the conditions. */
  readonly update: (rows: string, table: string, conditions: string, assigned: string) => string
  /** Begins a transaction that writes, and answers a name by which {@link fateOf} knows it, where there is one. */
  readonly begin: (
    connection: Connection,
    options: { readonly lockTimeoutMs: number }
  ) => Effect.Effect<string | null, SqlError>
  /** What became of a transaction whose COMMIT was not answered. */
  readonly fateOf: (
    connection: Connection,
    transaction: string
  ) => Effect.Effect<"committed" | "aborted" | "open" | "unknown", SqlError>
  readonly faultOf: (error: SqlError) => Fault
  /** Draws tokens in one statement: JSON rows `{bucket, now, windowMs, limit, count}`; answers `{bucket, openedAt, asked}`. */
  readonly draw: (
    connection: Connection,
    rows: string
  ) => Effect.Effect<
    ReadonlyArray<{ readonly bucket: string; readonly openedAt: number; readonly asked: number }>,
    SqlError
  >
  /** Takes slots in one statement: JSON rows `{key, nowUs, takenUs, keptUntil}`; answers `{key, nextUs}`. */
  readonly reserve: (
    connection: Connection,
    rows: string
  ) => Effect.Effect<ReadonlyArray<{ readonly key: string; readonly nextUs: number }>, SqlError>
  /** Leases due jobs; answers rows as they are stored. A power cut may undo it where the work is repeatable. */
  readonly claimJobs: (
    connection: Connection,
    wish: {
      readonly now: number
      readonly owner: string
      readonly leaseUntil: number
      readonly lanes: ClaimJobs["lanes"]
    }
  ) => Effect.Effect<ReadonlyArray<any>, SqlError>
  /** Postpones jobs that nobody works on, without waiting for those that somebody is about to take. A power cut may undo it. */
  readonly postponeJobs: (connection: Connection, postponed: PostponeJobs) => Effect.Effect<unknown, SqlError>
  /** The statement that answers the database's clock in milliseconds as `clock`. */
  readonly clock: string
  /** The schema's version that this code was written for. */
  readonly schemaVersion: number
}
export const Dialect = Context.GenericTag<Dialect>("@parley/sql/Dialect")
