import type { Connection } from "../../model/Connection.js"
import { day, hour, type Instant, minute, second } from "../../model/Instant.js"
import type { Job } from "../../model/Job.js"
import type { Parts, Settle } from "../../ports/Changes.js"
import type { SendOutcome } from "../../ports/ChannelProvider.js"
import type { Ids } from "../../ports/Ids.js"
import { backoff } from "../../queue/backoff.js"
import { recordHold, throttleHold } from "../../resources/channels/throttleHold.js"
import { clockTime, virtualTime } from "../../resources/channels/virtualTime.js"
import { changeHandle } from "../../resources/contacts/changeHandle.js"
import { recordContact } from "../../resources/contacts/recordContact.js"
import type { OutcomeWorld } from "./OutcomeWorld.js"
import { noSlots, progressOf, type SendProgress, settledProgress } from "./SendProgress.js"
import { maxLateMs } from "./sendReadiness.js"

/**
 * How long transient failures are retried, and how long an unknown outcome and a message in the vendor's queue wait for
 * receipts, in ms (docs/reference/messages.md#throttled-and-failing-sends, docs/reference/messages.md#unknown-outcome).
 */
export const retryWindow: number = day

const pause = backoff(second, 5 * minute)

/** Minimum delay after a throttle, in ms: a vendor may answer with a retry hint of 0. */
const minPause = second / 10

/** Maximum delay after a throttle, in ms: the vendor may take messages earlier than its hint says. */
const maxPause = hour

/** An outcome that is not final. */
export type Undecided = Exclude<SendOutcome, { readonly _tag: "Accepted" | "Rejected" }>

/** The result of a hand-over. */
export interface SendResult<Outcome extends SendOutcome = SendOutcome> {
  readonly job: Job
  readonly outcome: Outcome
  /** Whether a send of unknown outcome is repeated. */
  readonly resends: boolean
}

/** When a message is tried again after an outcome that is not final, and the other changes of that outcome. */
export interface NextTry {
  /** Null: the retry window is over. */
  readonly again: Settle["again"]
  readonly parts: Parts
}

/**
 * Decides the next try after an outcome that is not final (docs/reference/messages.md#throttled-and-failing-sends,
 * docs/reference/messages.md#unknown-outcome). A throttled send waits without limit and keeps its slot. A transient
 * failure is retried for 24 h. An unknown outcome waits for receipts, unless `resends`.
 */
export const nextTry = (
  world: OutcomeWorld,
  { job, outcome, resends }: SendResult<Undecided>,
  now: Instant,
  ids: Ids
): NextTry => {
  const progress = progressOf(job)
  const tries = progress.tries + 1
  const again = (runAt: Instant, next: Partial<SendProgress>): Settle["again"] => ({
    runAt,
    lane: "sends",
    payload: settledProgress(job, { tries, failingSince: null, reason: reasonOf(outcome), ...next })
  })
  switch (outcome._tag) {
    case "Throttled": {
      const until = world.answeredAt + Math.min(Math.max(outcome.retryAfterMs ?? pause(tries), minPause), maxPause)
      if (outcome.scope === "recipient") return { again: again(Math.max(now, until), noSlots), parts: {} }
      const { connection } = world
      if (connection === undefined) return { again: again(Math.max(now, until), noSlots), parts: {} }
      const { held, slot } = throttled(connection, progress.slot, until, now)
      return { again: again(clockTime(held, slot), { slot }), parts: recordHold(connection, held) }
    }
    case "Moved":
      return {
        again: again(now, { to: outcome.handle, moves: progress.moves + 1, recipientSlot: null }),
        parts: moved(world, progress.to, outcome.handle, now, ids)
      }
    default: {
      if (outcome._tag === "Unknown" && !resends) return { again: again(now + retryWindow, { held: true }), parts: {} }
      const failingSince = progress.failingSince ?? now
      const mayHaveArrived = progress.mayHaveArrived || outcome._tag === "Unknown"
      const runAt = now + pause(tries)
      return {
        again: runAt > failingSince + retryWindow ? null : again(runAt, { failingSince, mayHaveArrived, ...noSlots }),
        parts: {}
      }
    }
  }
}

/** Why a try failed, or why its outcome is unknown; null: neither. */
export const reasonOf = (outcome: SendOutcome): string | null => ("reason" in outcome ? outcome.reason : null)

/** A hold of the connection until then. The message keeps its slot, so that it is the first to be sent afterwards. */
const throttled = (connection: Connection, taken: Instant | null, until: Instant, now: Instant) => {
  const own = virtualTime(connection, now)
  const slot = Math.max(taken ?? own, own - maxLateMs)
  return { slot, held: throttleHold(connection, until, slot, now) }
}

/** Adds the new handle to the recipient, unless it belongs to another contact. */
const moved = (
  { connection, contact, holder, identity, subscribers }: OutcomeWorld,
  from: string,
  to: string,
  now: Instant,
  ids: Ids
): Parts => {
  const changed = contact && connection && changeHandle(contact, { identity, from, to, holder })
  return changed ? recordContact(changed, subscribers, now, ids) : {}
}
