export { BackupRefused, backup } from "./backup.js"
export * from "./driverless.js"
export { DatabaseInUse } from "./FileLock.js"
export { layer, migrate, type OpenError, recountContacts, type SqliteOptions } from "./SqliteStorage.js"
