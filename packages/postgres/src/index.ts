export { enqueueStatement } from "./enqueueStatement.js"
export { splitHosts } from "./Hosts.js"
export type { PostgresOptions } from "./PostgresOptions.js"
export { layer, migrate, type OpenError, recountContacts } from "./PostgresStorage.js"
