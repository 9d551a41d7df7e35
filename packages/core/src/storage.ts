// `@parley/core/storage`: what the author of a storage adapter needs. docs/write-a-storage.md shows how to begin.

export { failuresThatDisable } from "./model/Endpoint.js"
export { day, hour, type Instant, minute, second } from "./model/Instant.js"
export { countsAtClaim, dueAtOf, type Job, type Lane, lanes } from "./model/Job.js"
export * from "./ports/Changes.js"
export * from "./ports/EventLoop.js"
export * from "./ports/Storage.js"
export * from "./ports/Wakeup.js"
