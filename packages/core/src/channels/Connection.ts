import type { Instant } from "../Instant.js"
import type { Channel } from "./Channel.js"

export type ConnectionStatus = "active" | "paused" | "disconnected"

/** A workspace's account on a channel, served by a provider. */
export interface Connection {
  readonly id: string
  readonly workspaceId: string
  readonly channel: Channel
  /** The provider's kind, such as `sandbox`. */
  readonly provider: string
  readonly name: string
  /** The business's own address on the channel. */
  readonly handle: string
  readonly status: ConnectionStatus
  readonly isTest: boolean
  /** The provider's settings, and every connection's own, such as `verdict_wait_ms` and `opt_out`. */
  readonly config: { readonly [key: string]: unknown }
  /** The provider's credentials, sealed by the SecretBox; null where it needs none. */
  readonly credentials: string | null
  /** Until when nothing goes out, because the provider said so; zero: never. */
  readonly heldUntil: Instant
  /** How long it was held in all, in ms: places in its queue are counted without. */
  readonly heldMs: number
  readonly createdAt: Instant
  readonly version: number
}
