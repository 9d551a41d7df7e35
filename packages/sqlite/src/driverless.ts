// `@parley/sqlite/driverless`: what works without the package `better-sqlite3`.
export { enqueueStatement } from "./enqueueStatement.js"
