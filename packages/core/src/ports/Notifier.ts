import { Context, type Effect } from "effect"

/** Something that a workspace's administrators should know. */
export interface Notice {
  /** The same whenever it is told again. */
  readonly id: string
  readonly workspaceId: string
  /** Such as `webhook_endpoint.disabled`. */
  readonly kind: string
  readonly subjectId: string
  readonly message: string
}

/** Tells the administrators. What is told is written down before; a host that dies while it tells tells it again. */
export interface Notifier {
  readonly tell: (notice: Notice) => Effect.Effect<void>
}
export const Notifier = Context.GenericTag<Notifier>("@parley/core/Notifier")
