import { Effect, Either } from "effect"
import * as Database from "./host/Database.js"
import * as Readers from "./host/Readers.js"
import { OptionsInvalid } from "./readOptions.js"

/**
 * Brings a database up to date and does nothing else: for a step before the processes of a new version start, with
 * `storage.migrate: false` in those. `url` is what `storage.url` takes. Rejects where the database cannot be used.
 */
export const migrate = async (url: string): Promise<void> => {
  const database = Either.getOrThrowWith(
    Readers.database(url),
    (words) => new OptionsInvalid({ problems: [`url ${words}`] })
  )
  const outcome = await Effect.runPromise(Effect.either(Database.migrate(database, "url")))
  if (Either.isLeft(outcome)) throw outcome.left
}
