import { Context, type Effect } from "effect"

/** A notification for a workspace's administrators, such as a disabled webhook endpoint. */
export interface Notice {
  /** Unchanged on redelivery, so that receivers can dedupe. */
  readonly id: string
  readonly workspaceId: string
  /** For example `webhook_endpoint.disabled`. */
  readonly kind: string
  readonly subjectId: string
  readonly message: string
}

/** Delivers notifications to administrators, at least once. The notification row is committed before its delivery. */
export interface Notifier {
  readonly notify: (notice: Notice) => Effect.Effect<void>
}
export const Notifier = Context.GenericTag<Notifier>("@parley/core/Notifier")
