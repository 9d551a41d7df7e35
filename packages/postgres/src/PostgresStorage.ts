import { Reactivity } from "@effect/experimental"
import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import * as PgClient from "@effect/sql-pg/PgClient"
import { type Storage, Wakeup } from "@parley/core"
import { Dialect, Schema, type SchemaMismatch, SqlStorage, withConnection } from "@parley/sql"
import { Effect, Layer } from "effect"
import { dialect } from "./dialect.js"
import { migrations } from "./migrations/index.js"
import { makePool } from "./Pool.js"
import type { PostgresOptions } from "./PostgresOptions.js"
import * as PostgresWakeup from "./PostgresWakeup.js"

/** Why a database cannot be opened. */
export type OpenError = SchemaMismatch | SqlError | MigrationError

const open = (options: PostgresOptions, statementTimeoutMs: number | null) =>
  PgClient.fromPool({ acquire: makePool(options, statementTimeoutMs) }).pipe(Effect.provide(Reactivity.layer))

/** Any number that only migrations of Parley use. */
const migrationLock = 7_274_551

/** Migrates while no other host does. */
const migrateAlone = (sql: PgClient.PgClient) =>
  withConnection(sql, (connection) =>
    Effect.acquireUseRelease(
      connection.execute("SELECT pg_advisory_lock($1)", [migrationLock], undefined),
      () => Effect.provideService(Schema.migrate(dialect, migrations), SqlClient, sql),
      () => Effect.ignore(connection.execute("SELECT pg_advisory_unlock($1)", [migrationLock], undefined))
    )
  )

/** Brings the database up to date. */
export const migrate = (options: PostgresOptions): Effect.Effect<void, OpenError> =>
  Effect.scoped(Effect.flatMap(open(options, null), migrateAlone))

/** The storage on one Postgres database, for any number of processes. */
export const layer = (options: PostgresOptions): Layer.Layer<Storage | Wakeup, OpenError> => {
  const client = Layer.scoped(
    PgClient.PgClient,
    Effect.gen(function* () {
      if (options.migrate !== false) yield* migrate(options)
      const sql = yield* open(options, options.statementTimeoutMs ?? 10_000)
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
