import { Data, Effect, Predicate } from "effect"
import { betterSqlite3 } from "./betterSqlite3.js"
import type { Driver, DriverName } from "./Driver.js"
import { loadNodeSqlite, nodeSqlite } from "./nodeSqlite.js"

/** There is no driver. `message` says what to install. */
export class DriverMissing extends Data.TaggedError("DriverMissing")<{ readonly driver: DriverName }> {
  override get message(): string {
    return this.driver === "node:sqlite"
      ? "this Node has no node:sqlite, which is in Node 22.13 and later"
      : "the package better-sqlite3 is not installed. Install it: npm install better-sqlite3"
  }
}

/**
 * Loads a driver: the named one, else `better-sqlite3` if it is installed, else `node:sqlite`. A `better-sqlite3`
 * without its binary is an error, and not replaced.
 */
export const loadDriver = (name?: DriverName): Effect.Effect<Driver, DriverMissing> =>
  Effect.gen(function* () {
    if (name !== "node:sqlite") {
      const Database = yield* installed
      if (Database !== null) return betterSqlite3(Database)
      if (name !== undefined) return yield* new DriverMissing({ driver: name })
    }
    const module = loadNodeSqlite()
    return module === undefined ? yield* new DriverMissing({ driver: name ?? "better-sqlite3" }) : nodeSqlite(module)
  })

const installed = Effect.tryPromise(async () => (await import("better-sqlite3")).default).pipe(
  Effect.catchAll(({ error }) => (isMissing(error) ? Effect.succeed(null) : Effect.die(error)))
)

const isMissing = (error: unknown): boolean =>
  Predicate.hasProperty(error, "code") &&
  (error.code === "ERR_MODULE_NOT_FOUND" || error.code === "MODULE_NOT_FOUND") &&
  String(error).includes("'better-sqlite3'")
