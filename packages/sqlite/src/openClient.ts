import { Reactivity } from "@effect/experimental"
import * as SqlClient from "@effect/sql/SqlClient"
import type { Connection } from "@effect/sql/SqlConnection"
import { SqlError } from "@effect/sql/SqlError"
import { makeCompilerSqlite } from "@effect/sql/Statement"
import { lruCache } from "@parley/core"
import type { Database, Rows, Session, Statement } from "@parley/sql"
import { Effect, Scope } from "effect"
import { type Driver, openWith, type Parameters, type Prepared } from "./drivers/Driver.js"

/** The number of statements that stay prepared. */
const maxPrepared = 1_000
/** The wait for locks while the file is opened, in ms. Later waits are not SQLite's: they would block the process. */
const lockTimeoutMs = 5_000

/**
 * Hides the value of a bound `LIMIT` from the planner, which would otherwise prepare the statement again for each run
 * (docs/reference/storage.md#sqlite-statements).
 */
const hideLimits = (text: string): string => text.replaceAll("LIMIT ?", "LIMIT (? + 0)")

const failed = (cause: unknown) => new SqlError({ cause, message: "A statement failed" })

/** The connection would not make its commits durable any more. */
class SyncLost extends Error {}

/** The session of the one connection. Its statements block the process. */
const sessionOf = (prepare: (text: string) => Prepared): Session => {
  const rowsOf = ({ parameters, text }: Statement): Rows => prepare(text).all(parameters)
  const synchronous = (mode: "NORMAL" | "FULL") => prepare(`PRAGMA synchronous = ${mode}`).all([])
  const restore = () => {
    try {
      synchronous("FULL")
    } catch (cause) {
      throw new SyncLost("SQLite does not wait for the disk any more", { cause })
    }
  }
  /** Writes without waiting for the disk. No other write runs meanwhile. */
  const withoutSync = (statement: Statement): Rows => {
    synchronous("NORMAL")
    try {
      return rowsOf(statement)
    } finally {
      restore()
    }
  }
  return {
    run: (statements) =>
      Effect.suspend(() => {
        try {
          return Effect.succeed(statements.map((one) => (one.relaxed === true ? withoutSync(one) : rowsOf(one))))
        } catch (cause) {
          // Later commits would not be durable.
          if (cause instanceof SyncLost) return Effect.die(cause)
          return Effect.fail(failed(cause))
        }
      })
  }
}

/** The one connection of a file, for the storage and as a client for migrations. */
export interface OpenFile {
  readonly sql: SqlClient.SqlClient
  readonly database: Database
}

/** Opens a database file, or `:memory:`, with one connection in WAL mode, which is closed with the scope. */
export const openClient = (driver: Driver, file: string): Effect.Effect<OpenFile, SqlError, Scope.Scope> =>
  Effect.gen(function* () {
    const database = yield* Effect.acquireRelease(
      Effect.try({
        try: () => openWith(driver, file, { lockTimeoutMs }, "PRAGMA journal_mode = WAL"),
        catch: (cause) => new SqlError({ cause, message: `${file} cannot be opened` })
      }),
      ({ close }) => Effect.sync(close)
    )
    const prepared = lruCache<Prepared>(maxPrepared)
    const prepare = (text: string): Prepared => {
      const known = prepared.get(text)
      if (known !== undefined) return known
      const statement = database.prepare(hideLimits(text))
      prepared.set(text, statement)
      return statement
    }
    const run = <A>(statement: () => A) => Effect.try({ try: statement, catch: failed })

    const all = (text: string, parameters: Parameters) => run(() => prepare(text).all(parameters))
    const connection: Connection = {
      execute: (text, parameters, transformRows) =>
        transformRows === undefined ? all(text, parameters) : Effect.map(all(text, parameters), transformRows),
      executeRaw: all,
      executeValues: (text, parameters) => run(() => prepare(text).values(parameters)),
      executeUnprepared: (text, parameters, transformRows) => {
        const rows = run(() => database.prepare(text).all(parameters))
        return transformRows === undefined ? rows : Effect.map(rows, transformRows)
      },
      executeStream: () => {
        throw new Error("SQLite has no streams of rows")
      }
    }

    const session = sessionOf(prepare)
    // Statements and transactions take turns, because there is one connection.
    const turns = yield* Effect.makeSemaphore(1)
    const sql = yield* SqlClient.make({
      acquirer: turns.withPermits(1)(Effect.succeed(connection)),
      transactionAcquirer: Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          yield* restore(turns.take(1))
          yield* Scope.addFinalizer(yield* Effect.scope, turns.release(1))
          return connection
        })
      ),
      compiler: makeCompilerSqlite(),
      spanAttributes: [["db.system.name", "sqlite"]]
    })
    const withSession: Database["withSession"] = (use) => Effect.uninterruptible(turns.withPermits(1)(use(session)))
    return { sql, database: { withSession } }
  }).pipe(Effect.provide(Reactivity.layer))
