import { Clock, Duration, Effect, Layer, Queue } from "effect"
import { logFailure } from "../kernel/logFailure.js"
import { initialiseCounters } from "../kernel/metrics/engineMetrics.js"
import { type Instant, second } from "../model/Instant.js"
import { type Lane, lanes } from "../model/Job.js"
import { Storage } from "../ports/Storage.js"
import { Wakeup } from "../ports/Wakeup.js"
import { makeClaimBounds } from "./ClaimBounds.js"
import { type ClaimedLane, claimedByLane } from "./claimedByLane.js"
import { DatabaseClock } from "./DatabaseClock.js"
import { Dispatcher } from "./Dispatcher.js"
import { leaseMs, leaseOf } from "./HeldLease.js"

/**
 * Poll interval of an idle worker without hints, in ms. It bounds the delay of jobs of which the worker gets no hint,
 * such as the end of a workflow's wait, which is promised within a second. The claim and the first commit take a part
 * of that second (docs/reference/queue.md#idle-polling).
 */
const pauseMs = 900

/** Minimum pause in ms, for the time in which another transaction has locked all due jobs. */
const minPauseMs = 100

/**
 * How far ahead of now a claim looks for the next due job, in ms. While an old snapshot is open, it reads the ends of
 * the leases of finished jobs.
 */
const lookAheadMs = 5 * second

/** Minimum pause before a claim at a due time, in ms: jobs that become due soon after each other share a claim. */
const minDuePauseMs = 20

const pauseUntil = (nextDue: Instant, now: Instant): number =>
  nextDue <= now ? minPauseMs : Math.min(pauseMs, Math.max(nextDue - now, minDuePauseMs))

/**
 * The pause after a claim that took no job, in ms. Without it, each hint of a busy lane would cause another claim that
 * reads past the jobs of subjects at their limit. Short, because a claim may be slow for another reason.
 */
const pauseAfter = (claimMs: number): number => Math.min(3 * claimMs, 20)

/** Whether a claim took as many jobs of a lane or a subject as it could: more may be due. */
const reachedLimit = (claimed: ReadonlyArray<ClaimedLane>): boolean =>
  claimed.some(({ fullSubjects, isFull }) => isFull || fullSubjects.size > 0)

/**
 * Claims due jobs of the lanes and starts them in the dispatcher, until its scope closes. One statement claims for all
 * lanes. If no more jobs are due, it waits for a hint, freed capacity, the next due time or {@link pauseMs}, whichever
 * is first.
 */
export const work = (servedLanes: ReadonlyArray<Lane> = lanes) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const dispatcher = yield* Dispatcher
    const { isCertain } = yield* DatabaseClock
    const hints = yield* (yield* Wakeup).hints
    const bounds = makeClaimBounds()
    let isClosing = false

    initialiseCounters()
    yield* dispatcher.enableStartAfterCommit(servedLanes)
    /**
     * Claims and starts due jobs. `knownDue`: the next due time in ms; null if the claim has to query it. `hasMore`:
     * the next claim may find due jobs at once. Uninterruptible: otherwise its jobs could stay leased without running.
     */
    const claim = (knownDue: Instant | null) =>
      Effect.gen(function* () {
        const lanes = servedLanes.flatMap((lane) => dispatcher.claimRequest(lane) ?? [])
        const now = yield* Clock.currentTimeMillis
        if (lanes.length === 0 || !isCertain()) return { hasMore: false, now, nextDue: null, pause: 0 }
        const asksNext = knownDue === null || knownDue <= now
        const bounded = bounds.bounded(lanes, now)
        const nextDueUntil = asksNext ? now + lookAheadMs : null
        const request = { now, owner: dispatcher.owner, leaseMs, lanes: bounded, nextDueUntil }
        const [duration, found] = yield* Effect.timed(storage.claimJobs(request))
        const claimed = claimedByLane(bounded, found.jobs)
        const leftOut = bounds.raise(claimed, now, { ...found, durationMs: Duration.toMillis(duration) })
        const nextDue = nextDueUntil === null ? knownDue : (found.nextDueAt ?? nextDueUntil)
        const leavesDue = found.jobs.length > 0 && (nextDue === null || nextDue <= now)
        if (isClosing) yield* storage.releaseLeases(found.jobs.map(leaseOf))
        else yield* dispatcher.startClaimed(claimed, found.jobs)
        const hasMore = leavesDue || leftOut || reachedLimit(claimed)
        return { hasMore, now, nextDue, pause: found.jobs.length === 0 ? pauseAfter(Duration.toMillis(duration)) : 0 }
      }).pipe(Effect.uninterruptible)

    /** Waits, and returns the next due time; null after a hint or freed capacity, which make it obsolete. */
    const rest = (nextDue: Instant | null, now: Instant) =>
      Effect.raceAll([
        Effect.as(Queue.take(hints), null),
        Effect.as(dispatcher.capacityFreed, null),
        Effect.as(Effect.sleep(Duration.millis(pauseUntil(nextDue ?? now + pauseMs, now))), nextDue)
      ])

    const loop = (knownDue: Instant | null): Effect.Effect<never> =>
      Effect.zipRight(dispatcher.renewEnded, claim(knownDue)).pipe(
        Effect.flatMap(({ hasMore, nextDue, now, pause }) => {
          if (hasMore) return Effect.succeed(null)
          const waiting = rest(nextDue, now + pause)
          // Without a pause there is no sleep: a clock that stands still would not end one of 0 ms.
          return pause === 0 ? waiting : Effect.delay(waiting, Duration.millis(pause))
        }),
        Effect.catchAllCause((cause) =>
          logFailure("jobs could not be claimed", cause).pipe(
            Effect.zipRight(Effect.sleep(Duration.millis(pauseMs))),
            Effect.as(null)
          )
        ),
        Effect.flatMap(loop)
      )
    yield* Effect.forkScoped(Effect.interruptible(loop(null)))
    // Runs before the interruption of the loop.
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        isClosing = true
      })
    )
  })

/** A worker for these lanes. Default: all lanes. */
export const layer = (servedLanes?: ReadonlyArray<Lane>): Layer.Layer<never, never, Storage | Dispatcher | Wakeup> =>
  Layer.scopedDiscard(work(servedLanes))
