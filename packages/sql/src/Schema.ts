import * as Migrator from "@effect/sql/Migrator"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Predicate } from "effect"
import { Database, query } from "./Database.js"
import type { Dialect } from "./Dialect.js"

/** The table that records the migrations already run. */
export const migrationsTable = "parley_migrations"

/** The database's schema version differs from the version that this code requires. */
export class SchemaMismatch extends Data.TaggedError("SchemaMismatch")<{
  readonly found: number
  readonly wanted: number
}> {
  override get message(): string {
    return this.found < this.wanted
      ? `The database has schema version ${this.found} and this version of Parley needs ${this.wanted}: run its migrations`
      : `The database has schema version ${this.found}, which is newer than the ${this.wanted} that this version of Parley knows: start the newer version of Parley`
  }
}

const versionOf = (database: Database): Effect.Effect<number, SqlError> =>
  Effect.map(query(database, `SELECT max(migration_id) AS version FROM ${migrationsTable}`), ([row]) =>
    Number(row?.version ?? 0)
  ).pipe(
    // Without the table, the database has schema version 0.
    Effect.catchAll((error) => (lacksTable(error) ? Effect.succeed(0) : error))
  )

/** Postgres reports a missing table by SQLSTATE, SQLite by its message. */
const lacksTable = ({ cause }: SqlError): boolean =>
  (Predicate.hasProperty(cause, "code") && cause.code === "42P01") ||
  (Predicate.hasProperty(cause, "message") && String(cause.message).startsWith("no such table"))

/** The schema mismatch, or null if the version is the required one. */
export const schemaProblem = (database: Database, dialect: Dialect): Effect.Effect<SchemaMismatch | null, SqlError> =>
  Effect.map(versionOf(database), (found) =>
    found === dialect.schemaVersion ? null : new SchemaMismatch({ found, wanted: dialect.schemaVersion })
  )

/** Fails with `SchemaMismatch` if the schema version is not the required one. */
export const verify = (dialect: Dialect): Effect.Effect<void, SchemaMismatch | SqlError, Database> =>
  Effect.gen(function* () {
    const problem = yield* schemaProblem(yield* Database, dialect)
    if (problem !== null) return yield* problem
  })

/**
 * Runs the missing migrations, then checks that the schema has the required version. Without missing ones it only
 * reads: the migrator locks its table, and would wait there for a backup while all other hosts wait behind it.
 */
export const migrate = (
  dialect: Dialect,
  migrations: Readonly<Record<string, Effect.Effect<unknown, unknown, SqlClient>>>
): Effect.Effect<void, SchemaMismatch | SqlError | Migrator.MigrationError, SqlClient | Database> =>
  Effect.gen(function* () {
    const problem = yield* schemaProblem(yield* Database, dialect)
    if (problem === null) return
    if (problem.found > problem.wanted) return yield* problem
    const run = Migrator.make({})
    yield* run({ loader: Migrator.fromRecord(migrations as any), table: migrationsTable })
    yield* verify(dialect)
  })
