import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync } from "node:fs"
import { dirname } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Predicate, type Scope } from "effect"
import { type Connection, type Driver, openWith } from "./drivers/Driver.js"
import { type DriverMissing, loadDriver } from "./drivers/loadDriver.js"

/** The copy cannot be written. `message` is one line for the operator. */
export class BackupRefused extends Data.TaggedError("BackupRefused")<{
  readonly copy: string
  readonly reason: string
}> {
  override get message(): string {
    return `${this.copy} cannot be written: ${this.reason}`
  }
}

/** The wait for locks of other processes, in ms. Readers and writers of one file do not wait for each other. */
const lockTimeoutMs = 10_000

/**
 * Copies the database to a new file that only its owner can read. The copy has everything that was committed before it
 * began. Hosts may run: this takes no file lock, and reads a snapshot. The name `copy` appears once the copy is
 * complete and synced; until then it is `<copy>.partial`.
 */
export const backup = (options: {
  readonly file: string
  readonly copy: string
}): Effect.Effect<void, SqlError | BackupRefused | DriverMissing> =>
  Effect.scoped(
    Effect.gen(function* () {
      const { copy, file } = options
      const partial = `${copy}.partial`
      const source = yield* openExisting(yield* loadDriver(), file)
      if (existsSync(copy)) return yield* new BackupRefused({ copy, reason: "it exists" })
      yield* createPartial(copy, partial)
      yield* Effect.try({
        try: () => {
          source.prepare("VACUUM INTO ?").all([partial])
          sync(partial)
          renameSync(partial, copy)
          sync(dirname(copy))
        },
        catch: (cause) => new BackupRefused({ copy, reason: reasonOf(cause) })
      })
    })
  )

/** Read-only, so that it neither creates a database nor changes one. */
const openExisting = (driver: Driver, file: string): Effect.Effect<Connection, SqlError, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => {
        if (file === ":memory:" || !existsSync(file)) throw new Error("there is no such file")
        return openWith(driver, file, { readOnly: true, lockTimeoutMs }, "PRAGMA schema_version")
      },
      catch: (cause) => new SqlError({ cause, message: `${file} cannot be opened` })
    }),
    (database) => Effect.sync(() => database.close())
  )

/** Creates an empty file, which SQLite fills. It is removed with the scope, unless it was renamed. */
const createPartial = (copy: string, partial: string): Effect.Effect<void, BackupRefused, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.try({
      try: () => closeSync(openSync(partial, "wx", 0o600)),
      catch: (cause) =>
        new BackupRefused({
          copy,
          reason:
            Predicate.hasProperty(cause, "code") && cause.code === "EEXIST"
              ? `${partial} exists. Another backup is running, or one was killed: in this case, remove the file`
              : reasonOf(cause)
        })
    }),
    () => Effect.sync(() => rmSync(partial, { force: true }))
  )

const sync = (path: string): void => {
  const descriptor = openSync(path, "r")
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))
