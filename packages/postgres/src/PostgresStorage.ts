import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import { type Storage, Wakeup } from "@parley/core"
import {
  Database,
  Dialect,
  pause,
  type Recount,
  recountContacts as recountOn,
  Schema,
  type SchemaMismatch,
  type Session,
  SqlStorage
} from "@parley/sql"
import { Cause, Context, Effect, Layer, Option, type Redacted } from "effect"
import { type OpenDatabase, openDatabase } from "./database.js"
import { dialectIn } from "./dialect.js"
import { migrations } from "./migrations/index.js"
import { type AnyOptions, maxConnectionsOf, type PoolOptions } from "./PostgresOptions.js"
import * as PostgresWakeup from "./PostgresWakeup.js"
import { requireRoleSettings, requireSession } from "./pooling.js"
import { requireSchema } from "./requireSchema.js"
import { suffixOf } from "./schemaNames.js"
import { createSearchIndex, warnWithoutIndex } from "./searchIndex.js"

/** Why a database cannot be opened. */
export type OpenError = SchemaMismatch | SqlError | MigrationError

/**
 * The key of the advisory lock for migrations: an arbitrary number that nothing else of Parley uses, and with a schema
 * its hash.
 */
const migrationLock = (schema: string | undefined) =>
  suffixOf(schema) === "" ? "7274551" : `7274551, hashtext('${schema}')`

/** The connection of the lock, and the one of the migrations. */
const maxConnections = 2

/**
 * How long a migration waits for the lock of a table, in ms. Statements of running hosts wait behind it meanwhile, so
 * that it is shorter than they wait for a connection.
 */
const lockTimeoutMs = 1_000
const retryAfterMs = 5_000

/** Whether a migration gave up waiting for a lock. The migrator reports failures of migrations as defects. */
const stayedLocked = (cause: Cause.Cause<OpenError>): boolean => {
  let error: unknown = Cause.squash(cause)
  while (error instanceof Error) {
    if ("code" in error && error.code === "55P03") return true
    error = error.cause
  }
  return false
}

const lockedWarning = `The migrations wait for a lock that another transaction holds: a backup by pg_dump, or a long query. Trying again in ${retryAfterMs / 1_000} s`

/** Retries migrations that met a lock, so that the statements that queued behind them can run in between. */
const retryLocked = (migrations: Effect.Effect<void, OpenError>): Effect.Effect<void, OpenError> =>
  Effect.catchSomeCause(migrations, (cause) =>
    stayedLocked(cause)
      ? Option.some(
          Effect.logWarning(lockedWarning).pipe(
            Effect.zipRight(pause(retryAfterMs)),
            Effect.zipRight(retryLocked(migrations))
          )
        )
      : Option.none()
  )

/** Delay between two tries to get the advisory lock, in ms. */
const lockEveryMs = 500

/** Takes the advisory lock of migrations. Can be interrupted between its tries, for example by a signal. */
const lockMigrations = (session: Session, lock: string, isFirst = true): Effect.Effect<void, SqlError> =>
  Effect.flatMap(
    session.run([{ text: `SELECT pg_try_advisory_lock(${lock}) AS locked`, parameters: [] }]),
    ([rows = []]) =>
      rows[0]?.locked === true
        ? Effect.void
        : Effect.when(Effect.logInfo("Another host migrates the database. Waiting for it"), () => isFirst).pipe(
            Effect.zipRight(Effect.interruptible(pause(lockEveryMs))),
            Effect.zipRight(lockMigrations(session, lock, false))
          )
  )

/**
 * Migrates under an advisory lock, so that only one host migrates at a time. The others wait for the advisory lock
 * without a limit: nothing else waits for it.
 */
const migrateAlone = ({ database, sql }: OpenDatabase, { schema }: AnyOptions): Effect.Effect<void, OpenError> =>
  database.withSession((session) =>
    Effect.acquireUseRelease(
      lockMigrations(session, migrationLock(schema)),
      () =>
        Effect.interruptible(
          Effect.zipRight(
            schema === undefined ? Effect.void : requireSchema(database, schema, { forMigrations: true }),
            retryLocked(
              Schema.migrate(dialectIn(schema), migrations).pipe(
                Effect.provideService(SqlClient, sql),
                Effect.provideService(Database, database)
              )
            )
          )
        ),
      () =>
        Effect.ignore(session.run([{ text: `SELECT pg_advisory_unlock(${migrationLock(schema)})`, parameters: [] }]))
    )
  )

/** The options of connections that have a session: for LISTEN, advisory locks and settings. */
const direct = (options: AnyOptions): Effect.Effect<AnyOptions, SqlError> => {
  const sessions = sessionsOf(options)
  return Effect.as(requireSession(sessions, { isDirectUrl: options.directUrl !== undefined }), sessions)
}

const sessionsOf = (options: AnyOptions): AnyOptions => {
  if (options.directUrl === undefined) return options
  const { directUrl, pool: _, ...rest } = options as PoolOptions & { readonly directUrl: Redacted.Redacted }
  return { ...rest, url: directUrl }
}

/** Fails if the pool of a caller is so small that Parley would leave no connection to the caller. */
const requireRoom = (options: AnyOptions): Effect.Effect<void, SqlError> => {
  if (!("pool" in options)) return Effect.void
  const [max, taken] = [options.pool.options.max, maxConnectionsOf(options)]
  return taken + 1 < max
    ? Effect.void
    : new SqlError({
        cause: new Error(
          `the pool has at most ${max} connections, of which Parley takes ${taken} and one for LISTEN: its max must be at least ${taken + 2}`
        ),
        message: "The pool cannot be used"
      })
}

/** Migrates the database to the schema version that this code requires. */
export const migrate = (options: AnyOptions): Effect.Effect<void, OpenError> =>
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(openDatabase({ ...sessions, maxConnections }, { lockTimeoutMs }), (opened) =>
        migrateAlone(opened, sessions)
      )
    )
  )

/** Rebuilds the lists of contacts, and creates a missing index of search texts. Hosts may be running. */
export const recountContacts = (options: AnyOptions): Effect.Effect<Recount, OpenError> =>
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(openDatabase(sessions, {}), ({ database, sql }) =>
        Effect.zipLeft(
          Effect.provideService(recountOn(dialectIn(options.schema)), Database, database),
          createSearchIndex(sql)
        )
      )
    )
  )

/** The storage on a Postgres database, for any number of processes. */
export const layer = (options: AnyOptions): Layer.Layer<Storage | Wakeup, OpenError> => {
  const { schema } = options
  const dialect = dialectIn(schema, maxConnectionsOf(options))
  const opened = Layer.scopedContext(
    Effect.gen(function* () {
      yield* requireRoom(options)
      yield* options.migrate === false ? direct(options) : migrate(options)
      const { database, sql } = yield* openDatabase(options, {
        statementTimeoutMs: options.statementTimeoutMs ?? 10_000
      })
      if (options.directUrl !== undefined) yield* requireRoleSettings(database, schema)
      if (schema !== undefined) yield* requireSchema(database, schema, { forMigrations: false })
      yield* Effect.provideService(Schema.verify(dialect), Database, database)
      yield* warnWithoutIndex(sql)
      const wakeup = yield* PostgresWakeup.make(database, sessionsOf(options))
      return Context.make(Database, database).pipe(Context.add(Wakeup, wakeup))
    })
  )
  return SqlStorage.layer.pipe(Layer.provide(Layer.succeed(Dialect, dialect)), Layer.provideMerge(opened))
}
