import { closeSync, existsSync, openSync } from "node:fs"
import type { MigrationError } from "@effect/sql/Migrator"
import { SqlClient } from "@effect/sql/SqlClient"
import { SqlError } from "@effect/sql/SqlError"
import type { Storage, Wakeup } from "@parley/core"
import {
  Database,
  Dialect,
  InProcessWakeup,
  type Recount,
  recountContacts as recountOn,
  Schema,
  type SchemaMismatch,
  SqlStorage
} from "@parley/sql"
import { Clock, Effect, Layer } from "effect"
import { dialect } from "./dialect.js"
import type { Driver, DriverName } from "./drivers/Driver.js"
import { type DriverMissing, loadDriver } from "./drivers/loadDriver.js"
import { type DatabaseInUse, holdFileLock } from "./FileLock.js"
import { migrations } from "./migrations/index.js"
import { type OpenFile, openClient } from "./openClient.js"

/** The database file, and whether to migrate it. */
export interface SqliteOptions {
  /** A file, which is created if it is missing, or `:memory:`. */
  readonly file: string
  /**
   * Whether missing migrations are run at start; otherwise a database that lacks them fails with `SchemaMismatch`.
   * Default: true.
   */
  readonly migrate?: boolean
  /** Where the program opens it, for the error of a second opener. Default: the time. */
  readonly openedBy?: string | undefined
  /** Default: `better-sqlite3` if it is installed, else `node:sqlite`, which Node 22.13 and later have. */
  readonly driver?: DriverName | Driver | undefined
}

/** Why a database cannot be opened. */
export type OpenError = DatabaseInUse | DriverMissing | SchemaMismatch | SqlError | MigrationError

const pragmas = [
  // A wait inside SQLite would block the process. The storage retries instead.
  "busy_timeout = 0",
  "synchronous = FULL",
  // 64 MiB: keeps the pages that every batch uses in memory.
  "cache_size = -65536"
]

/**
 * What SQLite keeps while a statement runs: rows to sort, rows to return, pages to restore if it fails. Migrations and
 * recounts may sort whole tables, so they use files.
 */
const temporaryInMemory = "temp_store = MEMORY"

/**
 * Creates the file, if it is missing, with read permission for its owner only. SQLite gives its additional files the
 * same permissions. An existing file is not opened: closing it would drop the locks of all handles that this process
 * has on it, and another program could then delete the log that Parley writes to
 * (https://sqlite.org/howtocorrupt.html).
 */
const makePrivate = (file: string) =>
  Effect.try({
    try: () => {
      if (!existsSync(file)) closeSync(openSync(file, "a", 0o600))
    },
    catch: (cause) => new SqlError({ cause, message: `${file} cannot be opened` })
  })

const open = ({ driver: named, file, openedBy }: SqliteOptions) =>
  Effect.gen(function* () {
    const driver = typeof named === "object" ? named : yield* loadDriver(named)
    if (file !== ":memory:") {
      const now = new Date(yield* Clock.currentTimeMillis)
      yield* holdFileLock(driver, file, openedBy ?? `since ${now.toISOString()}`)
      yield* makePrivate(file)
    }
    const opened = yield* openClient(driver, file)
    for (const pragma of pragmas) yield* opened.sql.unsafe(`PRAGMA ${pragma}`)
    return opened
  })

const migrateFile = ({ database, sql }: OpenFile) =>
  Schema.migrate(dialect, migrations).pipe(
    Effect.provideService(SqlClient, sql),
    Effect.provideService(Database, database)
  )

/** Migrates the database to the schema version that this code requires. */
export const migrate = (options: SqliteOptions): Effect.Effect<void, OpenError> =>
  Effect.scoped(Effect.flatMap(open(options), migrateFile))

/** Rebuilds the lists of contacts. Fails with `DatabaseInUse` if a host has the file open. */
export const recountContacts = (options: SqliteOptions): Effect.Effect<Recount, OpenError> =>
  Effect.scoped(
    Effect.flatMap(open(options), ({ database }) => Effect.provideService(recountOn(dialect), Database, database))
  )

/** The storage on one SQLite file, for one process. */
export const layer = (options: SqliteOptions): Layer.Layer<Storage | Wakeup, OpenError> =>
  SqlStorage.layer.pipe(
    Layer.provide(Layer.succeed(Dialect, dialect)),
    Layer.provide(
      Layer.scoped(
        Database,
        Effect.gen(function* () {
          const opened = yield* open(options)
          const { database } = opened
          yield* options.migrate === false
            ? Effect.provideService(Schema.verify(dialect), Database, database)
            : migrateFile(opened)
          yield* opened.sql.unsafe(`PRAGMA ${temporaryInMemory}`)
          return database
        })
      )
    ),
    Layer.provideMerge(InProcessWakeup.layer)
  )
