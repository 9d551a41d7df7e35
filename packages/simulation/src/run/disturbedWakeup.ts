import type { Wakeup } from "@parley/core"
import type { Effect } from "effect"

/** A wakeup whose hints `disturb` may lose, double or delay. */
export const disturbedWakeup = (
  wakeup: Wakeup,
  disturb: (hint: Effect.Effect<void>) => Effect.Effect<void>
): Wakeup => ({
  ...wakeup,
  notify: (lanes) => disturb(wakeup.notify(lanes)),
  notifyFeeds: (names) => disturb(wakeup.notifyFeeds(names))
})
