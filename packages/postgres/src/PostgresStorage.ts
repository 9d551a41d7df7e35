import { Reactivity } from "@effect/experimental"
import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
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
import { Effect, Layer, Redacted } from "effect"
import { dialect } from "./dialect.js"
import { migrations } from "./migrations/index.js"
import { makePool } from "./Pool.js"
import { connectTimeoutOf, type PostgresOptions } from "./PostgresOptions.js"
import * as PostgresWakeup from "./PostgresWakeup.js"
import { requirePlannerSettings, requireSession } from "./pooling.js"

/** Why a database cannot be opened. */
export type OpenError = SchemaMismatch | SqlError | MigrationError

const open = (options: PostgresOptions, statementTimeoutMs: number | null) =>
  PgClient.fromPool({ acquire: makePool(options, statementTimeoutMs) }).pipe(Effect.provide(Reactivity.layer))

/** The key of the advisory lock for migrations; an arbitrary number that nothing else of Parley uses. */
const migrationLock = 7_274_551

/** Migrates under an advisory lock, so that only one host migrates at a time. */
const migrateAlone = (sql: PgClient.PgClient) =>
  withConnection(sql, (connection) =>
    Effect.acquireUseRelease(
      connection.execute("SELECT pg_advisory_lock($1)", [migrationLock], undefined),
      () => Effect.provideService(Schema.migrate(dialect, migrations), SqlClient, sql),
      () => Effect.ignore(connection.execute("SELECT pg_advisory_unlock($1)", [migrationLock], undefined))
    )
  )

/** The options of connections that have a session: for LISTEN, advisory locks and settings. */
const direct = ({ directUrl, ...options }: PostgresOptions): Effect.Effect<PostgresOptions, SqlError> => {
  const url = directUrl ?? options.url
  return Effect.as(
    requireSession(Redacted.value(url), {
      timeoutMs: connectTimeoutOf(options),
      isDirectUrl: directUrl !== undefined
    }),
    { ...options, url }
  )
}

/** Migrates the database to the schema version that this code requires. */
export const migrate = (options: PostgresOptions): Effect.Effect<void, OpenError> =>
  Effect.scoped(Effect.flatMap(direct(options), (sessions) => Effect.flatMap(open(sessions, null), migrateAlone)))

/** Rebuilds the lists of contacts. Hosts may be running. */
export const recountContacts = (options: PostgresOptions): Effect.Effect<Recount, OpenError> =>
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(open(sessions, null), (sql) => Effect.provideService(recountOn(dialect), SqlClient, sql))
    )
  )

/** The storage on a Postgres database, for any number of processes. */
export const layer = (options: PostgresOptions): Layer.Layer<Storage | Wakeup, OpenError> => {
  const client = Layer.scoped(
    PgClient.PgClient,
    Effect.gen(function* () {
      yield* options.migrate === false ? direct(options) : migrate(options)
      const sql = yield* open(options, options.statementTimeoutMs ?? 10_000)
      if (options.directUrl !== undefined) yield* requirePlannerSettings(sql)
      yield* Effect.provideService(Schema.verify(dialect), SqlClient, sql)
      return sql
    })
  )
  return SqlStorage.layer.pipe(
    Layer.provide(Layer.succeed(Dialect, dialect)),
    Layer.provide(Layer.effect(SqlClient, PgClient.PgClient)),
    Layer.provideMerge(
      Layer.scoped(
        Wakeup,
        Effect.flatMap(PgClient.PgClient, (sql) => PostgresWakeup.make(sql, options))
      )
    ),
    Layer.provide(client)
  )
}
