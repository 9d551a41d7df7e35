import { SqlError } from "@effect/sql/SqlError"
import Database from "better-sqlite3"
import { Data, Effect, type Scope } from "effect"

/** Another process has the database file open. */
export class DatabaseInUse extends Data.TaggedError("DatabaseInUse")<{ readonly file: string }> {
  override get message(): string {
    return `${this.file} is in use by another process: one SQLite file serves one process; several need Postgres`
  }
}

/**
 * Locks the database file for this process as long as the scope lives: an exclusive transaction on `<file>.lock`. The
 * operating system releases the lock when the process ends, also after a crash.
 */
export const holdFileLock = (file: string): Effect.Effect<void, DatabaseInUse | SqlError, Scope.Scope> =>
  Effect.asVoid(
    Effect.acquireRelease(
      Effect.try({
        try: () => {
          const lock = new Database(`${file}.lock`, { timeout: 0 })
          try {
            lock.exec("BEGIN EXCLUSIVE")
          } catch (cause) {
            lock.close()
            throw cause
          }
          return lock
        },
        catch: (cause) =>
          cause instanceof Error && "code" in cause && `${cause.code}`.startsWith("SQLITE_BUSY")
            ? new DatabaseInUse({ file })
            : new SqlError({ cause, message: `${file}.lock cannot be opened` })
      }),
      (lock) => Effect.sync(() => lock.close())
    )
  )
