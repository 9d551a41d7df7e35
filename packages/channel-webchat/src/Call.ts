import type {
  CommitError,
  Connection,
  Instant,
  ProviderAnswer,
  ProviderContext,
  ProviderRequest,
  Refusal
} from "@parley/core"
import type { Effect } from "effect"
import type { FeedStreams } from "./FeedStreams.js"
import type { RefuseExcess } from "./refuseExcess.js"
import type { Session } from "./Session.js"
import type { VisitorChallenge } from "./VisitorChallenge.js"
import type { VisitorLimits } from "./VisitorLimits.js"
import type { WebchatConfig } from "./WebchatConfig.js"
import type { WebchatCredentials } from "./WebchatCredentials.js"

/** A request from an allowed origin. */
export interface Call {
  readonly connection: Connection
  readonly config: WebchatConfig
  readonly credentials: WebchatCredentials
  readonly request: ProviderRequest
  readonly context: ProviderContext
  readonly limits: VisitorLimits
  readonly refuseExcess: RefuseExcess
  /** Null: new visitors need none. */
  readonly challenge: VisitorChallenge | null
  readonly streams: FeedStreams
  readonly now: Instant
}

/** A request of a visitor with a valid session. */
export interface VisitorCall extends Call {
  readonly visitor: Session
}

/** The answer to a request. A refusal is answered with the error envelope. */
export type Answered = Effect.Effect<ProviderAnswer, Refusal | CommitError>

/** The key of the visitor's rate limits. */
export const visitorKey = ({ connection, visitor }: VisitorCall): string => `${connection.id} ${visitor.handle}`
