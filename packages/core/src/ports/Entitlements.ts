import { Context, Effect, Layer } from "effect"
import type { Application } from "../access/Application.js"
import type { Refusal } from "../errors/Refusal.js"

/** An embedding team's own limits and balances, raising the catalogue's codes (`limit_reached`, `insufficient_balance`, …). */
export interface Entitlements {
  /** Succeeds where the application may carry out the operation now; `operation` such as `messages.send`. */
  readonly check: (application: Application, operation: string) => Effect.Effect<void, Refusal>
}
export const Entitlements = Context.GenericTag<Entitlements>("@parley/core/Entitlements")

/** Lets every operation through: for hosts without plans. */
export const allowAll: Layer.Layer<Entitlements> = Layer.succeed(Entitlements, { check: () => Effect.void })
