import type { Instant } from "./Instant.js"

/**
 * A vendor event that the provider does not understand, stored raw
 * (docs/reference/provider-contract.md#unknown-events).
 */
export interface UnknownEvent {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  /** The vendor's name for the event, if recognisable. */
  readonly kind: string
  /** Raw content, cut after 64 KiB. */
  readonly raw: string
  readonly createdAt: Instant
}
