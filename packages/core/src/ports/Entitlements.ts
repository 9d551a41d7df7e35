import { Context, Effect, Layer } from "effect"
import type { Application } from "../access/Application.js"
import type { Refusal } from "../errors/Refusal.js"

/** What can be allowed: every operation of the public interface that writes. */
export type EntitledOperation = "contacts.create" | "messages.send" | "leads.create" | "events.send"

/**
 * An embedding team's own limits and balances, raising the catalogue's codes (`limit_reached`, `insufficient_balance`, …).
 *
 * It is asked last of all, after validation and every rule of our own (decisions.md §2, step 10), so that what it is asked
 * about would otherwise be written now. A refusal writes nothing and leaves the idempotency key free. It is never asked
 * about a replay: that was allowed when it was done.
 *
 * It is not asked about reads either. They use nothing up that the requests bucket does not count, and whoever reached a
 * limit must still see what they have, as in a suspended workspace (spec, `workspace_suspended`). Reading ends with the
 * application (`account_suspended`) or the workspace (`workspace_unavailable`).
 */
export interface Entitlements {
  /**
   * Succeeds where the application may carry out the operation now; a {@link Refusal} is the caller's answer, with its code,
   * message and details. It must not charge: it is asked again where somebody else wrote first, and the commit can still
   * fail after it. Charge by what was done, such as `message.sent`.
   */
  readonly check: (application: Application, operation: EntitledOperation) => Effect.Effect<void, Refusal>
}
export const Entitlements = Context.GenericTag<Entitlements>("@parley/core/Entitlements")

/** Lets every operation through: for hosts without plans. */
export const allowAll: Layer.Layer<Entitlements> = Layer.succeed(Entitlements, { check: () => Effect.void })
