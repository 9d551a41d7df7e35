export { type ModelDatabase, makeModelDatabase } from "./ModelDatabase.js"
export { layer, modelStorage } from "./modelStorage.js"
export { modelWakeup } from "./modelWakeup.js"
