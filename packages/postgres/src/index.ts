export type { CallersPool } from "./CallersPool.js"
export * from "./driverless.js"
export type { AnyOptions, PoolOptions, PostgresOptions } from "./PostgresOptions.js"
export { layer, migrate, type OpenError, recountContacts } from "./PostgresStorage.js"
