import { hold, holdConnection } from "../channels/hold.js"
import { clockTime, ownTime } from "../channels/ownTime.js"
import { changeHandle } from "../contacts/changeHandle.js"
import { recordContact } from "../contacts/recordContact.js"
import { day, type Instant, minute, second } from "../Instant.js"
import type { Parts, Settle } from "../ports/Changes.js"
import type { SendOutcome } from "../ports/ChannelProvider.js"
import type { Ids } from "../ports/Ids.js"
import { backoff } from "../worker/backoff.js"
import type { Job } from "../worker/Job.js"
import { mostLate } from "./departure.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { noSlots, progressOf, type SendProgress, settledProgress } from "./SendProgress.js"

/** How long transient failures are tried again, and an unknown outcome is waited for (decisions.md §7). */
const patience: number = day

const pause = backoff(second, 5 * minute)

/** After a throttle whose hint is no time at all: a provider is not asked again and again at one moment. */
const leastPause = second / 10

/** An outcome that is not the last word. */
export type Undecided = Exclude<SendOutcome, { readonly _tag: "Accepted" | "Rejected" }>

/** When a message is tried again after such an outcome, and what else that one told. */
export interface NextTry {
  /** Null: it was tried for long enough. */
  readonly again: Settle["again"]
  readonly told: Parts
}

/**
 * What comes after an outcome that is not the last word (decisions.md §7). A throttled send waits as long as it takes and keeps its
 * place; a transient failure has its day; an outcome that is unknown is waited for, unless the message may be sent twice.
 */
export const nextTry = (
  world: OutcomeWorld,
  job: Job,
  outcome: Undecided,
  resends: boolean,
  now: Instant,
  ids: Ids
): NextTry => {
  const progress = progressOf(job)
  const tries = progress.tries + 1
  const again = (runAt: Instant, next: Partial<SendProgress>): Settle["again"] => ({
    runAt,
    lane: "sends",
    payload: settledProgress(job, { tries, failingSince: null, ...next })
  })
  switch (outcome._tag) {
    case "Throttled": {
      const until = world.answeredAt + Math.max(outcome.retryAfterMs ?? pause(tries), leastPause)
      if (outcome.scope === "recipient") return { again: again(Math.max(now, until), noSlots), told: {} }
      return throttled(world, progress, until, now, again)
    }
    case "Moved":
      return {
        again: again(now, { to: outcome.handle, moves: progress.moves + 1, recipientSlot: null }),
        told: moved(world, progress.to, outcome.handle, now, ids)
      }
    default: {
      if (outcome._tag === "Unknown" && !resends) return { again: again(now + patience, { held: true }), told: {} }
      const failingSince = progress.failingSince ?? now
      const runAt = now + pause(tries)
      return { again: runAt > failingSince + patience ? null : again(runAt, { failingSince, ...noSlots }), told: {} }
    }
  }
}

/** Nothing of the connection goes out until then, and this message first: it keeps its slot. */
const throttled = (
  { connection }: OutcomeWorld,
  { slot: taken }: SendProgress,
  until: Instant,
  now: Instant,
  again: (runAt: Instant, next: Partial<SendProgress>) => Settle["again"]
): NextTry => {
  if (connection === undefined) return { again: again(Math.max(now, until), noSlots), told: {} }
  const own = ownTime(connection, now)
  const slot = Math.max(taken ?? own, own - mostLate)
  const held = hold(connection, until, slot, now)
  return { again: again(clockTime(held, slot), { slot }), told: holdConnection(connection, held) }
}

/** The recipient has the new handle too, unless it is somebody else's. */
const moved = (
  { contact, holder, connection, subscribers }: OutcomeWorld,
  from: string,
  to: string,
  now: Instant,
  ids: Ids
): Parts => {
  const changed = contact && connection && changeHandle(contact, { channel: connection.channel, from, to, holder })
  return changed ? recordContact(changed, subscribers, now, ids) : {}
}
