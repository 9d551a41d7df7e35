import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import type * as Postgres from "@parley/postgres"
import { splitHosts } from "@parley/postgres/driverless"
import type * as Sqlite from "@parley/sqlite"
import { Cause, Data, Effect, Layer, Redacted } from "effect"
import { loadDriver } from "./loadDriver.js"

/** Database of an engine. */
export type Database =
  | {
      readonly _tag: "Sqlite"
      readonly file: string
      /** The library that has SQLite. Default: the installed one. */
      readonly driver?: Sqlite.DriverName
    }
  | {
      readonly _tag: "Postgres"
      readonly url: Redacted.Redacted
      /** Null: `url` reaches sessions. Otherwise a pooler at `url` shares connections between transactions. */
      readonly directUrl: Redacted.Redacted | null
      /** The schema of the tables. Null: the one that the role's `search_path` finds. */
      readonly schema: string | null
    }
  | {
      readonly _tag: "PostgresPool"
      /** A pool of the embedding program. */
      readonly pool: Postgres.CallersPool
      readonly directUrl: Redacted.Redacted | null
      readonly schema: string
    }

/** How to open the database. */
export interface DatabaseOptions {
  /** Name of the setting that holds the database's URL, for example `PARLEY_DATABASE_URL`; used in errors. */
  readonly setting: string
  /**
   * Whether to run pending migrations at startup. If false, a database with pending migrations is rejected. Default:
   * true.
   */
  readonly migrate?: boolean
  /** Postgres only. Default: 12. */
  readonly maxConnections?: number
  /** SQLite only: where the program opens it, for the error of a second opener. Default: the time. */
  readonly openedBy?: string | undefined
}

/** The configured database cannot be opened. `message` is one line for the operator. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly setting: string
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The database cannot be used (${this.setting}: ${this.database}): ${reasonOf(this.cause)}`
  }
}

/** Opens the storage and by default migrates it first. */
export const layer = (
  database: Database,
  { setting, ...options }: DatabaseOptions
): Layer.Layer<Storage | Wakeup, DatabaseUnusable> => {
  const open: Effect.Effect<Layer.Layer<Storage | Wakeup, unknown>, unknown> = database._tag === "Sqlite"
    ? Effect.map(sqliteIn(database.file), (Sqlite) => Sqlite.layer({ ...fileOf(database), ...options }))
    : Effect.map(postgres, (Postgres) => Postgres.layer({ ...placeOf(database), ...options }))
  return Layer.catchAllCause(Layer.unwrapEffect(open), (cause) =>
    Layer.fail(unusable(database, setting, Cause.squash(cause)))
  )
}

/** Runs pending migrations. */
export const migrate = (database: Database, setting: string): Effect.Effect<void, DatabaseUnusable> => {
  const run: Effect.Effect<void, unknown> =
    database._tag === "Sqlite"
      ? Effect.flatMap(sqliteIn(database.file), (Sqlite) => Sqlite.migrate(fileOf(database)))
      : Effect.flatMap(postgres, (Postgres) => Postgres.migrate(placeOf(database)))
  return Effect.catchAllCause(run, (cause) => unusable(database, setting, Cause.squash(cause)))
}

/**
 * Rebuilds the contact lists and their counts from the contacts. Returns the number of counts that were wrong. On
 * SQLite, no host may run.
 */
export const recountContacts = (
  database: Database,
  setting: string
): Effect.Effect<{ readonly wrongCounts: number }, DatabaseUnusable> => {
  const run: Effect.Effect<{ readonly wrongCounts: number }, unknown> =
    database._tag === "Sqlite"
      ? Effect.flatMap(sqliteIn(database.file), (Sqlite) => Sqlite.recountContacts(fileOf(database)))
      : Effect.flatMap(postgres, (Postgres) => Postgres.recountContacts(placeOf(database)))
  return Effect.catchAllCause(run, (cause) => unusable(database, setting, Cause.squash(cause)))
}

/** The option of an embedding program that names the database. */
export const settingOf = (database: Database): string =>
  database._tag === "PostgresPool" ? "storage.pool" : "storage.url"

const fileOf = ({ driver, file }: Extract<Database, { readonly _tag: "Sqlite" }>): Sqlite.SqliteOptions => ({
  driver,
  file
})

const placeOf = (database: Exclude<Database, { readonly _tag: "Sqlite" }>): Postgres.AnyOptions => {
  const direct = database.directUrl === null ? {} : { directUrl: database.directUrl }
  if (database._tag === "PostgresPool") return { pool: database.pool, schema: database.schema, ...direct }
  return { url: database.url, ...direct, ...(database.schema === null ? {} : { schema: database.schema }) }
}

/** A Postgres database is backed up with `pg_dump`. */
export class NeedsPgDump extends Data.TaggedError("NeedsPgDump")<{ readonly setting: string }> {
  override get message(): string {
    return `A backup by Parley is for SQLite. Back up Postgres with pg_dump --format=custom --file=<file> "$${this.setting}"`
  }
}

/**
 * Copies a SQLite database to a new file. Hosts may run. The copy has everything that was committed before it began.
 */
export const backup = (
  database: Database,
  { copy, setting }: { readonly copy: string; readonly setting: string }
): Effect.Effect<void, DatabaseUnusable | NeedsPgDump | Sqlite.BackupRefused> =>
  database._tag === "Sqlite"
    ? Effect.flatMap(sqlite, (Sqlite) => Sqlite.backup({ file: database.file, copy })).pipe(
        Effect.catchTags({
          SqlError: (cause) => unusable(database, setting, cause),
          DriverMissing: (cause) => unusable(database, setting, cause)
        })
      )
    : new NeedsPgDump({ setting })

/** Name of the database for output: without user and password. */
export const nameOf = (database: Database): string => {
  if (database._tag === "Sqlite") return `sqlite:${database.file}`
  if (database._tag === "PostgresPool") return `schema ${database.schema}`
  const urls = splitHosts(Redacted.value(database.url))
  const hosts = typeof urls === "string" ? [] : urls.map((url) => new URL(url))
  return `${hosts[0]?.protocol}//${hosts.map(({ host }) => host).join(",")}${hosts[0]?.pathname}`
}

const unusable = (database: Database, setting: string, cause: unknown) =>
  new DatabaseUnusable({ setting, database: nameOf(database), cause })

const postgres = loadDriver("pg", () => import("@parley/postgres"))
// It loads its driver itself, because there are two.
const sqlite = Effect.promise(() => import("@parley/sqlite"))
const sqliteIn = (file: string) => Effect.zipRight(prepare(file), sqlite)

/** Creates the folder of a SQLite file. Fails if the file exists and is not writable. */
const prepare = (file: string): Effect.Effect<void, unknown> =>
  Effect.tryPromise(async () => {
    if (file === ":memory:") return
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite would open the file read-only: every write would fail, even after permission is granted.
    await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
  })

/** Drivers nest errors; the innermost has the useful message. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const inner = "error" in error ? error.error : error.cause
  if (inner instanceof Error) return reasonOf(inner)
  return lacksBinary(error)
    ? 'better-sqlite3 has no binary for this Node. Run npm rebuild better-sqlite3; with pnpm, pnpm approve-builds first. Without it, Node 22.13 and later need no driver: storage.driver "node:sqlite"'
    : error.message || error.name
}

/** Whether native code was not built at the installation, or for another version of Node. */
const lacksBinary = (error: Error): boolean =>
  error.message.startsWith("Could not locate the bindings file") ||
  ("code" in error && error.code === "ERR_DLOPEN_FAILED")
