export * from "./plainSecretBox.js"
export * from "./testIds.js"
export * from "./testIdsLayer.js"
