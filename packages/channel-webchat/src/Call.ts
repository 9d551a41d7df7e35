import type {
  CommitError,
  Connection,
  ConnectionDoor,
  Instant,
  ProviderAnswer,
  ProviderRequest,
  Refusal
} from "@parley/core"
import type { Effect } from "effect"
import type { Session } from "./Session.js"
import type { VisitorLimits } from "./VisitorLimits.js"
import type { WebchatConfig } from "./WebchatConfig.js"
import type { WebchatCredentials } from "./WebchatCredentials.js"

/** A request of a page that may have the chat. */
export interface Call {
  readonly connection: Connection
  readonly config: WebchatConfig
  readonly credentials: WebchatCredentials
  readonly request: ProviderRequest
  readonly door: ConnectionDoor
  readonly limits: VisitorLimits
  readonly now: Instant
}

/** A request of a visitor whose session is in order. */
export interface VisitorCall extends Call {
  readonly visitor: Session
}

/** What a request comes to; a refusal is answered in the envelope. */
export type Answered = Effect.Effect<ProviderAnswer, Refusal | CommitError>

/** What a visitor's doings are counted by. */
export const visitorKey = ({ connection, visitor }: VisitorCall): string => `${connection.id} ${visitor.handle}`
