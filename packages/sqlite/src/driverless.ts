// `@parley/sqlite/driverless`: what works without a driver.
export { type DriverName, driverNames } from "./drivers/Driver.js"
export { enqueueStatement } from "./enqueueStatement.js"
export { handleProblem } from "./handleProblem.js"
export { workspaceIn } from "./workspaceIn.js"
