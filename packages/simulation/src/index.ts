export type * from "./audit/Journal.js"
export * as Model from "./model/index.js"
