// `@parley/core/storage`: what the author of a storage adapter needs. docs/reference/storage.md lists the guarantees.
export { day, hour, type Instant, minute, second } from "./model/Instant.js"
export { countsAtClaim, type Job, type Lane, lanes } from "./model/Job.js"
export * from "./ports/Changes.js"
export * from "./ports/EventLoop.js"
export * from "./ports/Storage.js"
export * from "./ports/Wakeup.js"
