import type { WebchatOptions } from "@parley/channel-webchat"
import * as Provider from "@parley/channel-webchat"
import { type Channel, channelOf } from "./Channel.js"

export { customerSignature, type Labels, type VisitorBounds } from "@parley/channel-webchat"
export type { WebchatOptions }

/** Web chat: a widget for the business's site, and its server (docs/channels/webchat.md). */
export const webchat = (options?: WebchatOptions): Channel => channelOf(Provider.webchat(options))
