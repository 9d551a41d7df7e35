import { Context, Effect } from "effect"
import { EngineSettings } from "../kernel/EngineSettings.js"
import type { Retention } from "../model/Retention.js"

/** The retention in force, read-only; the host's settings define it (docs/reference/administration.md#retention). */
export interface AdminRetention {
  readonly inForce: Effect.Effect<Retention>
}
export const AdminRetention = Context.GenericTag<AdminRetention>("@parley/core/AdminRetention")

export const make = Effect.map(
  EngineSettings,
  ({ retention }): AdminRetention => ({ inForce: Effect.succeed(retention) })
)
