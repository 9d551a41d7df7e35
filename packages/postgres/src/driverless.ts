// `@parley/postgres/driverless`: what works without the package `pg`.
export { enqueueStatement, markTransaction } from "./enqueueStatement.js"
export { schemaNameProblem } from "./schemaNames.js"
export { splitHosts } from "./splitHosts.js"
