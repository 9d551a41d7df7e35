import { Context, type Effect } from "effect"

/** Something that a workspace's administrators should know. */
export interface Notice {
  readonly workspaceId: string
  /** Such as `webhook_endpoint.disabled`. */
  readonly kind: string
  readonly subjectId: string
  readonly message: string
}

/** Tells the administrators. */
export interface Notifier {
  readonly tell: (notice: Notice) => Effect.Effect<void>
}
export const Notifier = Context.GenericTag<Notifier>("@parley/core/Notifier")
