import type { Channel } from "./Channel.js"
import type { Instant } from "./Instant.js"

export type ConnectionStatus = "active" | "paused" | "disconnected"

/** A workspace's account at a vendor, served by a provider. */
export interface Connection {
  readonly id: string
  readonly workspaceId: string
  readonly channel: Channel
  /** The provider's `kind`, such as `sandbox`. */
  readonly provider: string
  readonly name: string
  /** The business's own address on the channel. */
  readonly handle: string
  readonly status: ConnectionStatus
  readonly isTest: boolean
  /**
   * Settings of the provider, and those that all connections have, such as `verdict_wait_ms` and `opt_out`
   * (docs/reference/channels.md#connection-settings).
   */
  readonly config: { readonly [key: string]: unknown }
  /** The provider's credentials, sealed by the SecretBox; null if it needs none. */
  readonly credentials: string | null
  /** End of the current throttle hold in ms: no sends until then. 0: never held (docs/reference/sends.md#holds). */
  readonly heldUntil: Instant
  /** Total time held, in ms; virtual time excludes it (docs/reference/sends.md#virtual-time-of-a-connection). */
  readonly heldMs: number
  readonly createdAt: Instant
  readonly version: number
}

/**
 * Whether what applications and workflows send on the connection is marketing (`marketing` in its config); replies of
 * agents and bots are not (docs/reference/contacts.md#marketing-connections).
 */
export const sendsMarketing = ({ config }: Pick<Connection, "config">): boolean => config.marketing === true
