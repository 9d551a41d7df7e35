export * as HttpHost from "./HttpHost.js"
export { CannotListen } from "./listen.js"
export * as ProbeServer from "./ProbeServer.js"
export { Stopping } from "./Stopping.js"
