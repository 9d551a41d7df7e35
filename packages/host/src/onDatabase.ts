import { Effect, Either } from "effect"
import * as Database from "./layers/Database.js"
import * as Readers from "./layers/Readers.js"
import { makeOptionReader } from "./OptionReader.js"
import type { StorageOptions } from "./ParleyOptions.js"
import { OptionsInvalid } from "./readOptions.js"
import { readStorage } from "./readStorage.js"

/**
 * Runs a task on a database without an engine. Rejects if the URL or the options are invalid or the database cannot be
 * used.
 */
export const onDatabase = async <A>(
  storage: string | StorageOptions,
  run: (database: Database.Database, setting: string) => Effect.Effect<A, Database.DatabaseUnusable>
): Promise<A> => {
  const database = Either.getOrThrowWith(databaseOf(storage), (problems) => new OptionsInvalid({ problems }))
  const setting = typeof storage === "string" ? "url" : Database.settingOf(database)
  return Either.getOrThrowWith(await Effect.runPromise(Effect.either(run(database, setting))), (problem) => problem)
}

const databaseOf = (storage: string | StorageOptions): Either.Either<Database.Database, ReadonlyArray<string>> => {
  if (typeof storage === "string") return Either.mapLeft(Readers.database(storage), (message) => [`url ${message}`])
  const reader = makeOptionReader()
  const read = readStorage(storage, reader)
  return read === null || reader.problems.length > 0 ? Either.left(reader.problems) : Either.right(read.database)
}
