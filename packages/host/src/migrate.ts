import * as Database from "./layers/Database.js"
import { onDatabase } from "./onDatabase.js"
import type { StorageOptions } from "./ParleyOptions.js"

/**
 * Runs pending migrations of a database, as a deployment step before the processes of a new version start with
 * `storage.migrate: false`. `storage` is the option of `createParley`, or its `url`. Rejects if the database cannot be
 * used.
 */
export const migrate = (storage: string | StorageOptions): Promise<void> => onDatabase(storage, Database.migrate)
