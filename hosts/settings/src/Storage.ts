import { constants } from "node:fs"
import { access, mkdir } from "node:fs/promises"
import { dirname } from "node:path"
import type { Storage, Wakeup } from "@parley/core"
import * as Postgres from "@parley/postgres"
import * as Sqlite from "@parley/sqlite"
import { Cause, Data, Effect, Layer, Redacted } from "effect"
import type { Database } from "./Settings.js"

/** The database that the settings name cannot be opened; `message` is one line for the operator. */
export class DatabaseUnusable extends Data.TaggedError("DatabaseUnusable")<{
  readonly database: string
  readonly cause: unknown
}> {
  override get message(): string {
    return `The database cannot be used (PARLEY_DATABASE_URL: ${this.database}): ${reasonOf(this.cause)}`
  }
}

/** The storage on the database that the settings name, brought up to date first. */
export const layer = (database: Database): Layer.Layer<Storage | Wakeup, DatabaseUnusable> => {
  const open: Layer.Layer<Storage | Wakeup, unknown> =
    database._tag === "Postgres"
      ? Postgres.layer({ url: database.url })
      : Layer.unwrapEffect(Effect.as(prepare(database.file), Sqlite.layer({ file: database.file })))
  return Layer.catchAllCause(open, (cause) => Layer.fail(unusable(database, Cause.squash(cause))))
}

/** Brings the database up to date, and nothing else. */
export const migrate = (database: Database): Effect.Effect<void, DatabaseUnusable> => {
  const run: Effect.Effect<void, unknown> =
    database._tag === "Postgres"
      ? Postgres.migrate({ url: database.url })
      : Effect.zipRight(prepare(database.file), Sqlite.migrate({ file: database.file }))
  return Effect.catchAllCause(run, (cause) => unusable(database, Cause.squash(cause)))
}

/** The database as people may see it: without user and password. */
export const nameOf = (database: Database): string => {
  if (database._tag === "Sqlite") return `sqlite:${database.file}`
  const { host, pathname, protocol } = new URL(Redacted.value(database.url))
  return `${protocol}//${host}${pathname}`
}

const unusable = (database: Database, cause: unknown) => new DatabaseUnusable({ database: nameOf(database), cause })

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
