import { Effect } from "effect"
import type { Connection } from "../channels/Connection.js"
import type { Held } from "../channels/ownTime.js"
import { type Instant, second } from "../Instant.js"
import type { Storage } from "../ports/Storage.js"
import type { SendProgress } from "./SendProgress.js"

/** How many are postponed at once; whoever is behind them does the same when it comes too early. */
const mostMoved = 500

/** Where the messages that wait have their slots. */
const slot: keyof SendProgress = "slot"

/**
 * Postpones what waits in the line of a connection whose own time stood still: those whose slots would come during the hold, or
 * soon, are not taken up one by one to find that it is not their turn yet. It saves work and decides nothing: whoever is left out,
 * as when it fails, finds out itself. Of those who meet it together one does it.
 */
export const lineMover = (
  storage: Pick<Storage, "postponeJobs">
): ((connection: Pick<Connection, "id"> & Held, now: Instant) => Effect.Effect<void>) => {
  const moving = new Set<string>()
  return ({ heldMs, heldUntil, id }, now) =>
    Effect.suspend(() => {
      if (moving.has(id)) return Effect.void
      moving.add(id)
      const dueBefore = Math.max(heldUntil, now + second)
      const turns = { field: slot, behind: heldMs, notBefore: heldUntil, dueBefore, limit: mostMoved }
      return storage
        .postponeJobs({ lane: "sends", subject: id, ...turns })
        .pipe(Effect.ignore, Effect.ensuring(Effect.sync(() => moving.delete(id))))
    })
}
