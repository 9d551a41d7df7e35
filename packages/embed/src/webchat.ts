import type { WebchatOptions } from "@parley/channel-webchat"
import * as Provider from "@parley/channel-webchat"
import { type Channel, channelOf } from "./Channel.js"

export {
  type Challenge,
  customerSignature,
  type Labels,
  type NewVisitor,
  type ProofOfWorkOptions,
  proofOfWork,
  type VisitorBounds,
  type VisitorChallenge
} from "@parley/channel-webchat"
export type { WebchatOptions }

/** Web chat: a widget for the business's site, and its server (docs/channels/webchat.md). */
export const webchat = (options?: WebchatOptions): Channel => channelOf(Provider.webchat(options))
