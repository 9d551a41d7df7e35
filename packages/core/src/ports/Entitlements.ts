import { Context, Effect, Layer } from "effect"
import type { Refusal } from "../errors/Refusal.js"
import type { Application } from "../model/Application.js"

/** The operations that are checked: every write of the public interface. */
export type EntitledOperation = "contacts.create" | "messages.send" | "leads.create" | "events.send"

/**
 * Plan limits and balances of an embedding service. Refuses with the catalogue's codes (`limit_reached`,
 * `insufficient_balance`, …).
 *
 * Invariants:
 * - The check runs last, after validation and all rules of the engine (docs/reference/requests.md#order-of-checks),
 *   right before the commit.
 * - A refusal writes nothing and leaves the idempotency key free.
 * - Idempotent replays are not checked: the first request was.
 * - Reads are not checked. The requests bucket limits them, and a customer at a plan limit must still see its data, as
 *   in a suspended workspace (docs/reference/authentication.md#suspended-workspaces). To end reads, suspend the
 *   application (`account_suspended`) or make the workspace unavailable (`workspace_unavailable`).
 */
export interface Entitlements {
  /**
   * Succeeds if the application may carry out the operation now. A {@link Refusal} is sent to the caller with its code,
   * message and details. The check must not charge: it runs again after a commit conflict, and the commit may fail
   * afterwards. Charge by events such as `message.sent`.
   */
  readonly check: (application: Application, operation: EntitledOperation) => Effect.Effect<void, Refusal>
}
export const Entitlements = Context.GenericTag<Entitlements>("@parley/core/Entitlements")

/** Allows every operation, for hosts without plans. */
export const allowAll: Layer.Layer<Entitlements> = Layer.succeed(Entitlements, { check: () => Effect.void })
