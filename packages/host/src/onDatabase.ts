import { Effect, Either } from "effect"
import * as Database from "./layers/Database.js"
import * as Readers from "./layers/Readers.js"
import { makeOptionReader } from "./OptionReader.js"
import type { StorageOptions } from "./ParleyOptions.js"
import { OptionsInvalid } from "./readOptions.js"
import { readStorage } from "./readStorage.js"

/**
 * Runs pending migrations of a database, as a deployment step before the processes of a new version start with
 * `storage.migrate: false`. `storage` is the option of `createParley`, or its `url`. Rejects if the database cannot be
 * used.
 */
export const migrate = (storage: string | StorageOptions): Promise<void> => onDatabase(storage, Database.migrate)

/**
 * Rebuilds the contact lists and their counts from the contacts, after these were changed by hand or by a process of an
 * earlier version. Resolves with the number of counts that were wrong. `storage` is the option of `createParley`, or
 * its `url`; a SQLite file must not be in use. Rejects if the database cannot be used.
 */
export const recountContacts = (storage: string | StorageOptions): Promise<{ readonly wrongCounts: number }> =>
  onDatabase(storage, Database.recountContacts)

/**
 * Runs a task on a database without an engine. Rejects if the URL or the options are invalid or the database cannot be
 * used.
 */
const onDatabase = async <A>(
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
