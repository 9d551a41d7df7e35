import { SqlError } from "@effect/sql/SqlError"
import { Data, Effect, Predicate, type Scope } from "effect"
import { type Driver, openWith } from "./drivers/Driver.js"
import { openFiles, pathOf } from "./openFiles.js"

/** The database file is open: in another process, or in this one. */
export class DatabaseInUse extends Data.TaggedError("DatabaseInUse")<{
  readonly file: string
  /** Where this process opened it; null: another process did. */
  readonly openedBy: string | null
}> {
  override get message(): string {
    return this.openedBy === null
      ? `${this.file} is in use by another process: one SQLite file serves one process; several need Postgres`
      : `${this.file} is open in this process already, ${this.openedBy}: use that engine, or close it first. Keep it on globalThis if modules are reloaded`
  }
}

/**
 * Locks the database file for this process as long as the scope lives: an exclusive transaction on `<file>.lock`. The
 * operating system releases the lock when the process ends, also after a crash.
 */
export const holdFileLock = (
  driver: Driver,
  file: string,
  openedBy: string
): Effect.Effect<void, DatabaseInUse | SqlError, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const path = pathOf(file)
          const before = openFiles.get(path)
          if (before !== undefined) throw new DatabaseInUse({ file, openedBy: before.openedBy })
          const lock = openWith(driver, `${path}.lock`, { lockTimeoutMs: 0 }, "BEGIN EXCLUSIVE")
          openFiles.set(path, { openedBy, driver: driver.name })
          return { lock, path }
        },
        catch: (cause) => {
          if (cause instanceof DatabaseInUse) return cause
          return Predicate.hasProperty(cause, "code") && `${cause.code}`.startsWith("SQLITE_BUSY")
            ? new DatabaseInUse({ file, openedBy: null })
            : new SqlError({ cause, message: `${file}.lock cannot be opened` })
        }
      }),
      ({ lock, path }) =>
        Effect.sync(() => {
          openFiles.delete(path)
          lock.close()
        })
    )
  )
