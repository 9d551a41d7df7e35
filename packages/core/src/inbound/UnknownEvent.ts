import type { Instant } from "../Instant.js"

/** Something that a vendor sent and its provider does not know, kept as it came (channels.md, The provider contract kit). */
export interface UnknownEvent {
  readonly id: string
  readonly workspaceId: string
  readonly connectionId: string
  /** What the vendor calls it, as far as it can be told. */
  readonly kind: string
  /** At most 64 KiB of it. */
  readonly raw: string
  readonly createdAt: Instant
}
