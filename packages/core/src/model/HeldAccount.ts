import type { Channel } from "./Channel.js"

/**
 * A name of a vendor's account, and the connection that has it. Unique over all workspaces
 * (docs/reference/channels.md#accounts). A row whose connection is disconnected may be taken over.
 */
export interface HeldAccount {
  /** The provider's `kind`. */
  readonly provider: string
  readonly channel: Channel
  /** `handle`: the connection's handle; `vendor`: the vendor's id, as the provider's `accountOf` names it. */
  readonly space: "handle" | "vendor"
  readonly name: string
  readonly workspaceId: string
  readonly connectionId: string
}
