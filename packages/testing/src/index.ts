export { createTestParley } from "./createTestParley.js"
export type * from "./TestParley.js"
