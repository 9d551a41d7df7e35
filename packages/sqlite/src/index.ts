export { BackupRefused, backup } from "./backup.js"
export { enqueueStatement } from "./enqueueStatement.js"
export { DatabaseInUse } from "./FileLock.js"
export { layer, migrate, type OpenError, recountContacts, type SqliteOptions } from "./SqliteStorage.js"
