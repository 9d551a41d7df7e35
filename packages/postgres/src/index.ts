export type { PostgresOptions } from "./PostgresOptions.js"
export { layer, migrate, type OpenError } from "./PostgresStorage.js"
