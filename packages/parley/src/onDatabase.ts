import { Effect, Either } from "effect"
import type * as Database from "./host/Database.js"
import * as Readers from "./host/Readers.js"
import { OptionsInvalid } from "./readOptions.js"

/** Runs a task on a database without an engine. Rejects if the URL is invalid or the database cannot be used. */
export const onDatabase = async <A>(
  url: string,
  run: (database: Database.Database, setting: string) => Effect.Effect<A, Database.DatabaseUnusable>
): Promise<A> => {
  const database = Either.getOrThrowWith(
    Readers.database(url),
    (message) => new OptionsInvalid({ problems: [`url ${message}`] })
  )
  return Either.getOrThrowWith(await Effect.runPromise(Effect.either(run(database, "url"))), (problem) => problem)
}
