import { Effect } from "effect"
import type { Connection } from "../../model/Connection.js"
import { type Instant, second } from "../../model/Instant.js"
import type { Storage } from "../../ports/Storage.js"
import type { HoldState } from "../../resources/channels/virtualTime.js"
import type { SendProgress } from "./SendProgress.js"

/** Maximum number of jobs postponed at once. A job behind them postpones the next ones when it is claimed too early. */
const maxPostponed = 500

/** The payload field with the slot of a waiting message. */
const slot: keyof SendProgress = "slot"

/**
 * Postpones the waiting jobs of a connection whose virtual time stood still. Without it, each would be claimed at its
 * old slot only to wait again. An optimisation: a job that it misses postpones itself when it is claimed, so failures
 * are ignored. Concurrent calls for one connection run once.
 */
export const makePostponeQueue = (
  storage: Pick<Storage, "postponeJobs">
): ((connection: Pick<Connection, "id"> & HoldState, now: Instant) => Effect.Effect<void>) => {
  const postponing = new Set<string>()
  return ({ heldMs, heldUntil, id }, now) =>
    Effect.suspend(() => {
      if (postponing.has(id)) return Effect.void
      postponing.add(id)
      const dueBefore = Math.max(heldUntil, now + second)
      const positions = { field: slot, behind: heldMs, notBefore: heldUntil, dueBefore, limit: maxPostponed }
      return storage
        .postponeJobs({ lane: "sends", subject: id, ...positions })
        .pipe(Effect.ignore, Effect.ensuring(Effect.sync(() => postponing.delete(id))))
    })
}
