export type * from "./audit/Journal.js"
