import { closeSync, openSync } from "node:fs"
import { Reactivity } from "@effect/experimental"
import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import * as SqliteClient from "@effect/sql-sqlite-node/SqliteClient"
import type { Storage, Wakeup } from "@parley/core"
import { Dialect, InProcessWakeup, Schema, type SchemaMismatch, SqlStorage } from "@parley/sql"
import { Effect, Layer } from "effect"
import { dialect } from "./dialect.js"
import { type DatabaseInUse, hold } from "./FileLock.js"
import { migrations } from "./migrations/index.js"

/** Where the database is, and whether it is brought up to date on the way. */
export interface SqliteOptions {
  /** A file, made when it is missing, or `:memory:`. */
  readonly file: string
  /** Whether missing migrations are run at the start; else a database that lacks them is refused. Default: true. */
  readonly migrate?: boolean
}

/** Why a database cannot be opened. */
export type OpenError = DatabaseInUse | SchemaMismatch | SqlError | MigrationError

const pragmas = [
  // waiting inside SQLite would hold up the whole process; the storage waits outside
  "busy_timeout = 0",
  "synchronous = FULL",
  // 64 MiB: the pages that every batch touches stay in memory
  "cache_size = -65536"
]

/** Makes the file where it is missing, for nobody else to read; what SQLite puts beside it is as the file is. */
const makePrivate = (file: string) =>
  Effect.try({
    try: () => closeSync(openSync(file, "a", 0o600)),
    catch: (cause) => new SqlError({ cause, message: `${file} cannot be opened` })
  })

const open = (file: string) =>
  Effect.gen(function* () {
    if (file !== ":memory:") {
      yield* hold(file)
      yield* makePrivate(file)
    }
    const sql = yield* SqliteClient.make({ filename: file, prepareCacheSize: 1_000 }).pipe(
      Effect.provide(Reactivity.layer),
      Effect.catchAllDefect((cause) => Effect.fail(new SqlError({ cause, message: `${file} cannot be opened` })))
    )
    for (const pragma of pragmas) yield* sql.unsafe(`PRAGMA ${pragma}`)
    return sql
  })

/** Brings the database up to date. */
export const migrate = (options: SqliteOptions): Effect.Effect<void, OpenError> =>
  Effect.scoped(
    Effect.flatMap(open(options.file), (sql) =>
      Effect.provideService(Schema.migrate(dialect, migrations), SqlClient, sql)
    )
  )

/** The storage on one SQLite file, for one process. */
export const layer = (options: SqliteOptions): Layer.Layer<Storage | Wakeup, OpenError> =>
  SqlStorage.layer.pipe(
    Layer.provide(Layer.succeed(Dialect, dialect)),
    Layer.provide(
      Layer.scoped(
        SqlClient,
        Effect.tap(open(options.file), (sql) =>
          Effect.provideService(
            options.migrate === false ? Schema.verify(dialect) : Schema.migrate(dialect, migrations),
            SqlClient,
            sql
          )
        )
      )
    ),
    Layer.provideMerge(InProcessWakeup.layer)
  )
