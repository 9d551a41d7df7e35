import { SandboxProvider } from "@parley/channel-sandbox"
import { type Channel, channelOf } from "./Channel.js"

/** A provider of all channels that sends nothing to customers (docs/reference/sandbox.md). */
export const sandbox = (): Channel => channelOf(SandboxProvider)
