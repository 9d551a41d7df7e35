import * as Database from "./host/Database.js"
import { onDatabase } from "./onDatabase.js"

/**
 * Rebuilds the contact lists and their counts from the contacts, after these were changed by hand or by a process of an
 * earlier version. Resolves with the number of counts that were wrong. `url` is a value of `storage.url`; a SQLite file
 * must not be in use. Rejects if the database cannot be used.
 */
export const recountContacts = (url: string): Promise<{ readonly wrongCounts: number }> =>
  onDatabase(url, Database.recountContacts)
