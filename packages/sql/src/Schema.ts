import * as Migrator from "@effect/sql/Migrator"
import type { SqlClient } from "@effect/sql/SqlClient"
import type { SqlError } from "@effect/sql/SqlError"
import type { DatabaseHealth } from "@parley/core"
import { Data, Effect, Predicate } from "effect"
import { Database, query, type Rows } from "./Database.js"
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

const selectVersion = `SELECT (SELECT max(migration_id) FROM ${migrationsTable}) AS version`

/** The row of a statement that begins with {@link selectVersion}. Without the table, the schema version is 0. */
const versioned = (database: Database, statement: string): Effect.Effect<Rows[number], SqlError> =>
  Effect.map(query(database, statement), ([row]) => row).pipe(
    Effect.catchAll((error) => (lacksTable(error) ? Effect.succeed({ version: 0 }) : error))
  )

const mismatchOf = (version: unknown, dialect: Dialect): SchemaMismatch | null => {
  const found = Number(version ?? 0)
  return found === dialect.schemaVersion ? null : new SchemaMismatch({ found, wanted: dialect.schemaVersion })
}

/** Postgres reports a missing table by SQLSTATE, SQLite by its message. */
const lacksTable = ({ cause }: SqlError): boolean =>
  (Predicate.hasProperty(cause, "code") && cause.code === "42P01") ||
  (Predicate.hasProperty(cause, "message") && String(cause.message).startsWith("no such table"))

/** The schema mismatch, or null if the version is the required one. */
export const schemaProblem = (database: Database, dialect: Dialect): Effect.Effect<SchemaMismatch | null, SqlError> =>
  Effect.map(versioned(database, selectVersion), ({ version }) => mismatchOf(version, dialect))

/** Returns the health of a database with the required schema version. One statement: an idle host repeats it. */
export const checkHealth = (
  database: Database,
  dialect: Dialect
): Effect.Effect<DatabaseHealth, SchemaMismatch | SqlError> =>
  Effect.flatMap(
    versioned(database, `${selectVersion}, ${dialect.health}`),
    ({ version, ...health }) => mismatchOf(version, dialect) ?? Effect.succeed<DatabaseHealth>(health)
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
