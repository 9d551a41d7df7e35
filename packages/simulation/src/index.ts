export { audit } from "./audit/audit.js"
export type * from "./audit/Journal.js"
export type { Violation } from "./audit/Violation.js"
