import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Cause, Data, Effect, Layer, Redacted } from "effect"

/** Where everything is kept. */
export type Database =
  | { readonly _tag: "Sqlite"; readonly file: string }
  | { readonly _tag: "Postgres"; readonly url: Redacted.Redacted }

/** How it is opened. */
export interface DatabaseOptions {
  /** What names the database, such as `PARLEY_DATABASE_URL`: errors send their reader there. */
  readonly setting: string
  /** Whether missing migrations are run at the start; else a database that lacks them is refused. Default: true. */
  readonly migrate?: boolean
  /** Postgres only. Default: 12. */
  readonly maxConnections?: number
}

/** The database that the settings name cannot be opened; `message` is one line for the operator. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly setting: string
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The database cannot be used (${this.setting}: ${this.database}): ${reasonOf(this.cause)}`
  }
}

/** The storage on the database, brought up to date first. */
export const layer = (
  database: Database,
  { setting, ...options }: DatabaseOptions
): Layer.Layer<Storage | Wakeup, DatabaseUnusable> => {
  const open: Layer.Layer<Storage | Wakeup, unknown> =
    database._tag === "Postgres"
      ? Postgres.layer({ url: database.url, ...options })
      : Layer.unwrapEffect(Effect.as(prepare(database.file), Sqlite.layer({ file: database.file, ...options })))
  return Layer.catchAllCause(open, (cause) => Layer.fail(unusable(database, setting, Cause.squash(cause))))
}

/** Brings the database up to date, and nothing else. */
export const migrate = (database: Database, setting: string): Effect.Effect<void, DatabaseUnusable> => {
  const run: Effect.Effect<void, unknown> =
    database._tag === "Postgres"
      ? Postgres.migrate({ url: database.url })
      : Effect.zipRight(prepare(database.file), Sqlite.migrate({ file: database.file }))
  return Effect.catchAllCause(run, (cause) => unusable(database, setting, Cause.squash(cause)))
}

/** The database as people may see it: without user and password. */
export const nameOf = (database: Database): string => {
  if (database._tag === "Sqlite") return `sqlite:${database.file}`
  const { host, pathname, protocol } = new URL(Redacted.value(database.url))
  return `${protocol}//${host}${pathname}`
}

const unusable = (database: Database, setting: string, cause: unknown) =>
  new DatabaseUnusable({ setting, database: nameOf(database), cause })

/** Makes the folder of a SQLite file; fails where the file is there and may not be written. */
const prepare = (file: string): Effect.Effect<void, unknown> =>
  Effect.tryPromise(async () => {
    if (file === ":memory:") return
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    // SQLite would open it to be read only, and stay so: each write would fail, even after the permission is given.
    await access(file, constants.R_OK | constants.W_OK).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "ENOENT") throw error
    })
  })

/** Drivers wrap what happened several times over; the innermost has the words. */
const reasonOf = (error: unknown): string => {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  const inner = "error" in error ? error.error : error.cause
  return inner instanceof Error ? reasonOf(inner) : error.message || error.name
}
