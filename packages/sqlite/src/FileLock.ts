import { resolve } from "node:path"
import { SqlError } from "@effect/sql/SqlError"
import Database from "better-sqlite3"
import { Data, Effect, GlobalValue, type Scope } from "effect"

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

/** Where this process opened each file, by its path. Global, because a process may load this module twice, by a bundler too. */
const openFiles = GlobalValue.globalValue(Symbol.for("@parley/sqlite/openFiles"), () => new Map<string, string>())

/**
 * Locks the database file for this process as long as the scope lives: an exclusive transaction on `<file>.lock`. The
 * operating system releases the lock when the process ends, also after a crash.
 */
export const holdFileLock = (
  file: string,
  openedBy: string
): Effect.Effect<void, DatabaseInUse | SqlError, Scope.Scope> =>
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
          openFiles.set(resolve(file), openedBy)
          return lock
        },
        catch: (cause) =>
          cause instanceof Error && "code" in cause && `${cause.code}`.startsWith("SQLITE_BUSY")
            ? new DatabaseInUse({ file, openedBy: openFiles.get(resolve(file)) ?? null })
            : new SqlError({ cause, message: `${file}.lock cannot be opened` })
      }),
      (lock) =>
        Effect.sync(() => {
          openFiles.delete(resolve(file))
          lock.close()
        })
    )
  )
