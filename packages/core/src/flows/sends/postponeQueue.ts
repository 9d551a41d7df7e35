import { Effect } from "effect"
import type { Connection } from "../../model/Connection.js"
import { type Instant, second } from "../../model/Instant.js"
import type { PostponeJobs, Storage } from "../../ports/Storage.js"
import type { HoldState } from "../../resources/channels/virtualTime.js"
import type { SendProgress } from "./SendProgress.js"

/** Maximum number of jobs postponed at once. A job behind them postpones the next ones when it is claimed too early. */
const maxPostponed = 500

/** The payload field with the slot of a waiting message. */
const slot: keyof SendProgress = "slot"

type Times = Pick<PostponeJobs, "behind" | "notBefore" | "dueBefore">

/** The times of messages with slots, whose connection's virtual time stood still. */
export const timesAfterHold = ({ heldMs, heldUntil }: HoldState, now: Instant): Times => ({
  behind: heldMs,
  notBefore: heldUntil,
  dueBefore: Math.max(heldUntil, now + second)
})

/** The times of messages of a paused connection that are due and were never tried: that of the one that was claimed. */
export const timesWhilePaused = (until: Instant, now: Instant): Times => ({
  behind: null,
  notBefore: until,
  dueBefore: now
})

/**
 * Postpones the jobs of a connection that wait for the same as one that was claimed. Without it, each would be claimed
 * only to wait again. An optimisation: a job that it misses postpones itself when it is claimed, so failures are
 * ignored. Concurrent calls for one connection run once.
 */
export const makePostponeQueue = (
  storage: Pick<Storage, "postponeJobs">
): ((connection: Pick<Connection, "id">, times: Times) => Effect.Effect<void>) => {
  const postponing = new Set<string>()
  return ({ id }, times) =>
    Effect.suspend(() => {
      if (postponing.has(id)) return Effect.void
      postponing.add(id)
      return storage
        .postponeJobs({ lane: "sends", subject: id, field: slot, limit: maxPostponed, ...times })
        .pipe(Effect.ignore, Effect.ensuring(Effect.sync(() => postponing.delete(id))))
    })
}
