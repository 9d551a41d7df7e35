import * as Database from "./layers/Database.js"
import { onDatabase } from "./onDatabase.js"
import type { StorageOptions } from "./ParleyOptions.js"

/**
 * Rebuilds the contact lists and their counts from the contacts, after these were changed by hand or by a process of an
 * earlier version. Resolves with the number of counts that were wrong. `storage` is the option of `createParley`, or
 * its `url`; a SQLite file must not be in use. Rejects if the database cannot be used.
 */
export const recountContacts = (storage: string | StorageOptions): Promise<{ readonly wrongCounts: number }> =>
  onDatabase(storage, Database.recountContacts)
