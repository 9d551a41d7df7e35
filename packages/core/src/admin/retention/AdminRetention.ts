import { Context, Effect, Layer } from "effect"
import { EngineSettings } from "../../EngineSettings.js"
import type { Retention } from "../../worker/Retention.js"

/** How long history is kept (decisions.md §12), for administrators to see; a host's settings decide it. */
export interface AdminRetention {
  readonly inForce: Effect.Effect<Retention>
}
export const AdminRetention = Context.GenericTag<AdminRetention>("@parley/core/AdminRetention")

export const layer: Layer.Layer<AdminRetention, never, EngineSettings> = Layer.effect(
  AdminRetention,
  Effect.map(EngineSettings, ({ retention }) => ({ inForce: Effect.succeed(retention) }))
)
