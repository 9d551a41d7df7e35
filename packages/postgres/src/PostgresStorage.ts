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
import { dialectIn } from "./dialect.js"
import { migrations } from "./migrations/index.js"
import { makePool } from "./Pool.js"
import { connectTimeoutOf, type PostgresOptions } from "./PostgresOptions.js"
import * as PostgresWakeup from "./PostgresWakeup.js"
import { requireRoleSettings, requireSession } from "./pooling.js"
import { requireSchema } from "./requireSchema.js"
import { suffixOf } from "./schemaNames.js"

/** Why a database cannot be opened. */
export type OpenError = SchemaMismatch | SqlError | MigrationError

const open = (options: PostgresOptions, statementTimeoutMs: number | null) =>
  PgClient.fromPool({ acquire: makePool(options, statementTimeoutMs) }).pipe(Effect.provide(Reactivity.layer))

/**
 * The key of the advisory lock for migrations: an arbitrary number that nothing else of Parley uses, and with a schema its
 * hash.
 */
const migrationLock = (schema: string | undefined) =>
  suffixOf(schema) === "" ? "7274551" : `7274551, hashtext('${schema}')`

/** Migrates under an advisory lock, so that only one host migrates at a time. */
const migrateAlone = (sql: PgClient.PgClient, { schema }: PostgresOptions) =>
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
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(open(sessions, null), (sql) => migrateAlone(sql, sessions))
    )
  )

/** Rebuilds the lists of contacts. Hosts may be running. */
export const recountContacts = (options: PostgresOptions): Effect.Effect<Recount, OpenError> =>
  Effect.scoped(
    Effect.flatMap(direct(options), (sessions) =>
      Effect.flatMap(open(sessions, null), (sql) =>
        Effect.provideService(recountOn(dialectIn(options.schema)), SqlClient, sql)
      )
    )
  )

/** The storage on a Postgres database, for any number of processes. */
export const layer = (options: PostgresOptions): Layer.Layer<Storage | Wakeup, OpenError> => {
  const { schema } = options
  const dialect = dialectIn(schema)
  const client = Layer.scoped(
    PgClient.PgClient,
    Effect.gen(function* () {
      yield* options.migrate === false ? direct(options) : migrate(options)
      const sql = yield* open(options, options.statementTimeoutMs ?? 10_000)
      if (options.directUrl !== undefined) yield* requireRoleSettings(sql, schema)
      if (schema !== undefined) yield* requireSchema(sql, schema, { forMigrations: false })
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
