import { Clock, Duration, Effect, Layer, Queue } from "effect"
import type { Instant } from "../Instant.js"
import { beginAtZero } from "../metrics/engineMetrics.js"
import { Storage } from "../ports/Storage.js"
import { Wakeup } from "../ports/Wakeup.js"
import { Dispatcher, leaseMs } from "./Dispatcher.js"
import { type Lane, lanes } from "./Job.js"

/**
 * How long an idle worker waits before it looks again without a hint. It is short because of the waits of automations, which end
 * at most so late even where every hint is lost.
 */
export const pauseMs = 1_000

/** Later than all work. */
const never = Number.POSITIVE_INFINITY

/**
 * Claims due jobs of the lanes and has the dispatcher run them, for as long as its scope lives. All lanes are claimed in
 * one statement; with nothing to do it waits for a hint, for the next due time, or for a pause.
 */
const work = (worked: ReadonlyArray<Lane>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const dispatcher = yield* Dispatcher
    const hints = yield* (yield* Wakeup).hints

    beginAtZero()
    /** Claims and starts what is due; `knownDue`: when the next work is, null where it has to be asked. */
    const claim = (knownDue: Instant | null) =>
      Effect.gen(function* () {
        const wishes = worked.flatMap((lane) => dispatcher.wish(lane) ?? [])
        const now = yield* Clock.currentTimeMillis
        if (wishes.length === 0) return { claimed: 0, now, nextDue: null }
        const asksNext = knownDue === null || knownDue <= now
        const wish = { now, owner: dispatcher.owner, leaseMs, lanes: wishes, asksNext }
        const { jobs, nextDueAt } = yield* storage.claimJobs(wish)
        yield* Effect.forEach(jobs, dispatcher.start, { discard: true })
        return { claimed: jobs.length, now, nextDue: asksNext ? (nextDueAt ?? never) : knownDue }
      })

    /** Until the next work is due, as far as is known; a hint or new room may mean that it is no more. */
    const rest = (nextDue: Instant | null, now: Instant) =>
      Effect.raceAll([
        Effect.as(Queue.take(hints), null),
        Effect.as(dispatcher.roomMade, null),
        Effect.as(Effect.sleep(Duration.millis(Math.min(pauseMs, Math.max(1, (nextDue ?? never) - now)))), nextDue)
      ])

    const loop = (knownDue: Instant | null): Effect.Effect<never> =>
      claim(knownDue).pipe(
        Effect.flatMap(({ claimed, nextDue, now }) => (claimed > 0 ? Effect.succeed(null) : rest(nextDue, now))),
        Effect.catchAll((error) =>
          Effect.logWarning(`work could not be claimed: ${error.message}`).pipe(
            Effect.zipRight(Effect.sleep(Duration.millis(pauseMs))),
            Effect.as(null)
          )
        ),
        Effect.flatMap(loop)
      )
    yield* Effect.forkScoped(Effect.interruptible(loop(null)))
  })

/** A worker for these lanes; without any, for all. */
export const layer = (worked: ReadonlyArray<Lane> = lanes): Layer.Layer<never, never, Storage | Dispatcher | Wakeup> =>
  Layer.scopedDiscard(work(worked))
