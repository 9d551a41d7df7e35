import * as Database from "./host/Database.js"
import { onDatabase } from "./onDatabase.js"

/**
 * Runs pending migrations of a database, as a deployment step before the processes of a new version start with
 * `storage.migrate: false`. `url` is a value of `storage.url`. Rejects if the database cannot be used.
 */
export const migrate = (url: string): Promise<void> => onDatabase(url, Database.migrate)
