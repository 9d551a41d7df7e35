import { Reactivity } from "@effect/experimental"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import type { Database, Rows, Session } from "@parley/sql"
import { Effect, type Scope } from "effect"
import type Pg from "pg"
import { makePool } from "./Pool.js"
import type { AnyOptions } from "./PostgresOptions.js"
import type { Timeouts } from "./sessionSettings.js"

type Reply = Pg.QueryResult | ReadonlyArray<Pg.QueryResult>

/** The rows of a statement; the rows of each command of a text with several. */
const rowsOf = (reply: Reply): Rows => ("rows" in reply ? reply.rows : reply.map(({ rows }) => rows))

const failed = (cause: unknown) => new SqlError({ cause, message: "A statement failed" })

/** Sends all statements at once, and waits for the reply to each: the connection has no open statement afterwards. */
const sessionOf = (client: Pg.PoolClient): Session => ({
  run: (statements) => {
    if (statements.length === 0) return Effect.succeed([])
    return Effect.async<ReadonlyArray<Rows>, SqlError>((resume) => {
      const found = new Array<Rows>(statements.length)
      let failure: SqlError | null = null
      let left = statements.length
      const end = (count: number) => {
        left -= count
        if (left === 0) resume(failure === null ? Effect.succeed(found) : Effect.fail(failure))
      }
      for (const [i, { parameters, text }] of statements.entries()) {
        let isOpen = true
        const onReply = (error: Error | null, reply: Reply) => {
          // The driver reports some errors twice.
          if (!isOpen) return
          isOpen = false
          if (!error) found[i] = rowsOf(reply)
          else failure ??= failed(error)
          end(1)
        }
        try {
          client.query(text, parameters as Array<unknown>, onReply as (error: Error, reply: Pg.QueryResult) => void)
        } catch (cause) {
          failure ??= failed(cause)
          isOpen = false
          // Those behind it, such as COMMIT, may not run without it.
          return end(statements.length - i)
        }
      }
    })
  }
})

interface Borrowed {
  readonly session: Session
  readonly release: () => void
}

const borrow = (pool: Pg.Pool): Effect.Effect<Borrowed, SqlError> =>
  Effect.async((resume) => {
    pool.connect((error, client, release) => {
      if (client === undefined) {
        return resume(new SqlError({ cause: error, message: "A connection could not be opened" }))
      }
      let lost: Error | undefined
      const onError = (cause: Error) => {
        lost = cause
      }
      client.on("error", onError)
      const end = () => {
        client.off("error", onError)
        release(lost)
      }
      resume(Effect.succeed({ session: sessionOf(client), release: end }))
    })
  })

/** The connections of a pool. */
const databaseOf = (pool: Pg.Pool): Database => ({
  withSession: (use) =>
    Effect.uninterruptible(
      Effect.flatMap(borrow(pool), ({ release, session }) =>
        Effect.matchCauseEffect(
          Effect.suspend(() => use(session)),
          {
            onFailure: (cause) => {
              release()
              return Effect.failCause(cause)
            },
            onSuccess: (result) => {
              release()
              return Effect.succeed(result)
            }
          }
        )
      )
    )
})

/** The connections of one pool, for the storage and as a client for migrations. */
export interface OpenDatabase {
  readonly database: Database
  readonly sql: PgClient.PgClient
}

/** Opens a pool, which connects on demand. */
export const openDatabase = (
  options: AnyOptions,
  timeouts: Timeouts
): Effect.Effect<OpenDatabase, SqlError, Scope.Scope> =>
  Effect.flatMap(makePool(options, timeouts), (pool) =>
    Effect.map(PgClient.fromPool({ acquire: Effect.succeed(pool) }), (sql) => ({ database: databaseOf(pool), sql }))
  ).pipe(Effect.provide(Reactivity.layer))
