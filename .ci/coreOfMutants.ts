/** The exports of `@parley/core` that the tests of mutants need: its whole index takes a second to load, per mutant. */
export * from "../packages/core/src/model/Channel.js"
export * from "../packages/core/src/model/Instant.js"
export * from "../packages/core/src/model/Job.js"
export * from "../packages/core/src/ports/Changes.js"
export * from "../packages/core/src/ports/ChannelProvider.js"
export * from "../packages/core/src/ports/Ids.js"
export * from "../packages/core/src/ports/SecretBox.js"
export * from "../packages/core/src/ports/Storage.js"
