export { DatabaseInUse } from "./FileLock.js"
export { layer, migrate, type OpenError, type SqliteOptions } from "./SqliteStorage.js"
