export { layer, migrate, type OpenError, type PostgresOptions } from "./PostgresStorage.js"
