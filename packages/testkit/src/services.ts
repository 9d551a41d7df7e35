export { makeTestIds } from "@parley/memory"
export * from "./plainSecretBox.js"
export * from "./testIdsLayer.js"
