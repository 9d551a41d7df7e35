export { conformance } from "./conformance.js"
export type { ReceiverOptions } from "./Receiver.js"
export type { Deployment } from "./World.js"
