import { loadNodeSqlite } from "./drivers/nodeSqlite.js"
import { openFiles, pathOf } from "./openFiles.js"

/**
 * Why a handle of the program must not be used on Parley's file, or null: it is of another copy of SQLite than
 * Parley's. Two copies in one process do not see each other's locks, and can corrupt the file.
 */
export const handleProblem = (file: string, handle: object): string | null => {
  const DatabaseSync = loadNodeSqlite()?.DatabaseSync
  const isOfNode = DatabaseSync !== undefined && handle instanceof DatabaseSync
  const driver = openFiles.get(pathOf(file))?.driver
  if (driver === undefined || isOfNode === (driver === "node:sqlite")) return null
  return `Parley has the file open by ${driver}, and two copies of SQLite in one process can corrupt it: give ${
    isOfNode ? "a Database of better-sqlite3" : "a DatabaseSync of node:sqlite"
  }, or set storage.driver to yours`
}
