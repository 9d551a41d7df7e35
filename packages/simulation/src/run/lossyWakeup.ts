import type { Wakeup } from "@parley/core"
import { Effect } from "effect"

/** A wakeup that loses the hints that do not pass. */
export const lossyWakeup = (wakeup: Wakeup, passes: () => boolean): Wakeup => ({
  ...wakeup,
  notify: (lanes) => Effect.suspend(() => (passes() ? wakeup.notify(lanes) : Effect.void)),
  notifyFeeds: (names) => Effect.suspend(() => (passes() ? wakeup.notifyFeeds(names) : Effect.void))
})
