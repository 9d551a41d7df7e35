import type { Family } from "@parley/core"
import { Context, type Effect } from "effect"

/**
 * The metrics that `/metrics` shows: by default those of this process. A host of several processes shows those of all.
 */
export class AllMetrics extends Context.Reference<AllMetrics>()("@parley/host-http/AllMetrics", {
  defaultValue: (): {
    readonly of: (own: Effect.Effect<ReadonlyArray<Family>>) => Effect.Effect<ReadonlyArray<Family>>
  } => ({
    of: (own) => own
  })
}) {}
