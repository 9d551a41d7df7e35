import { Reactivity } from "@effect/experimental"
import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import { type Storage, Wakeup } from "@parley/core"
import {
  Dialect,
  type Recount,
  recountContacts as recountOn,
  Schema,
  type SchemaMismatch,
  SqlStorage,
  withConnection
} from "@parley/sql"
import { Effect, Layer, type Redacted } from "effect"
import { dialectIn } from "./dialect.js"
import { migrations } from "./migrations/index.js"
import { makePool } from "./Pool.js"
import { type AnyOptions, maxConnectionsOf, type PoolOptions } from "./PostgresOptions.js"
import * as PostgresWakeup from "./PostgresWakeup.js"
import { requireRoleSettings, requireSession } from "./pooling.js"
import { requireSchema } from "./requireSchema.js"
import { suffixOf } from "./schemaNames.js"
import { createSearchIndex, warnWithoutIndex } from "./searchIndex.js"

/** Why a database cannot be opened. */
export type OpenError = SchemaMismatch | SqlError | MigrationError

const open = (options: AnyOptions, statementTimeoutMs: number | null) =>
  PgClient.fromPool({ acquire: makePool(options, statementTimeoutMs) }).pipe(Effect.provide(Reactivity.layer))

/**
 * The key of the advisory lock for migrations: an arbitrary number that nothing else of Parley uses, and with a schema
 * its hash.
 */
const migrationLock = (schema: string | undefined) =>
  suffixOf(schema) === "" ? "7274551" : `7274551, hashtext('${schema}')`

/** The connection of the lock, and the one of the migrations. */
const maxConnections = 2

/** Migrates under an advisory lock, so that only one host migrates at a time. */
const migrateAlone = (sql: PgClient.PgClient, { schema }: AnyOptions) =>
  withConnection(sql, (connection) =>
    Effect.acquireUseRelease(
      connection.execute(`SELECT pg_advisory_lock(${migrationLock(schema)})`, [], undefined),
      () =>
        Effect.zipRight(
          schema === undefined ? Effect.void : requireSchema(sql, schema, { forMigrations: true }),
          Effect.provideService(Schema.migrate(dialectIn(schema), migrations), SqlClient, sql)
        ),
      () => Effect.ignore(connection.execute(`SELECT pg_advisory_unlock(${migrationLock(schema)})`, [], undefined))
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
      Effect.flatMap(open({ ...sessions, maxConnections }, null), (sql) => migrateAlone(sql, sessions))
    )
  )

/** Rebuilds the lists of contacts, and creates a missing index of search texts. Hosts may be running. */
export const recountContacts = (options: AnyOptions): Effect.Effect<Recount, OpenError> =>
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(open(sessions, null), (sql) =>
        Effect.zipLeft(
          Effect.provideService(recountOn(dialectIn(options.schema)), SqlClient, sql),
          createSearchIndex(sql)
        )
      )
    )
  )

/** The storage on a Postgres database, for any number of processes. */
export const layer = (options: AnyOptions): Layer.Layer<Storage | Wakeup, OpenError> => {
  const { schema } = options
  const dialect = dialectIn(schema)
  const client = Layer.scoped(
    PgClient.PgClient,
    Effect.gen(function* () {
      yield* requireRoom(options)
      yield* options.migrate === false ? direct(options) : migrate(options)
      const sql = yield* open(options, options.statementTimeoutMs ?? 10_000)
      if (options.directUrl !== undefined) yield* requireRoleSettings(sql, schema)
      if (schema !== undefined) yield* requireSchema(sql, schema, { forMigrations: false })
      yield* Effect.provideService(Schema.verify(dialect), SqlClient, sql)
      yield* warnWithoutIndex(sql)
      return sql
    })
  )
  return SqlStorage.layer.pipe(
    Layer.provide(Layer.succeed(Dialect, dialect)),
    Layer.provide(Layer.effect(SqlClient, PgClient.PgClient)),
    Layer.provideMerge(
      Layer.scoped(
        Wakeup,
        Effect.flatMap(PgClient.PgClient, (sql) => PostgresWakeup.make(sql, sessionsOf(options)))
      )
    ),
    Layer.provide(client)
  )
}
