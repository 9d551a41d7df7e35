import { Clock, Duration, Effect, Layer, Queue } from "effect"
import { beginAtZero } from "../metrics/engineMetrics.js"
import { Storage } from "../ports/Storage.js"
import { Wakeup } from "../ports/Wakeup.js"
import { Dispatcher, leaseMs } from "./Dispatcher.js"
import { type Lane, lanes } from "./Job.js"

/** How long an idle worker waits before it looks again without a hint: at first, and at most (engine.md, The queue). */
export const firstPauseMs = 1_000
export const longestPauseMs = 30_000

/**
 * Claims due jobs of the lanes and has the dispatcher run them, for as long as its scope lives. All lanes are claimed in
 * one statement; with nothing to do it waits for a hint, for the next due time, or for a pause that grows.
 */
const work = (worked: ReadonlyArray<Lane>) =>
  Effect.gen(function* () {
    const storage = yield* Storage
    const dispatcher = yield* Dispatcher
    const hints = yield* (yield* Wakeup).hints

    beginAtZero()
    const claim = Effect.gen(function* () {
      const wishes = worked.flatMap((lane) => dispatcher.wish(lane) ?? [])
      const now = yield* Clock.currentTimeMillis
      if (wishes.length === 0) return { claimed: 0, nextDueAt: null, now }
      const { jobs, nextDueAt } = yield* storage.claimJobs({ now, owner: dispatcher.owner, leaseMs, lanes: wishes })
      yield* Effect.forEach(jobs, dispatcher.start, { discard: true })
      return { claimed: jobs.length, nextDueAt, now }
    })

    const rest = (pause: number, until: number) =>
      Effect.raceAll([Queue.take(hints), dispatcher.roomMade, Effect.sleep(Duration.millis(Math.min(pause, until)))])

    const loop = (pause: number): Effect.Effect<never> =>
      Effect.gen(function* () {
        const { claimed, nextDueAt, now } = yield* claim
        if (claimed > 0) return firstPauseMs
        yield* rest(pause, nextDueAt === null ? pause : Math.max(1, nextDueAt - now))
        return Math.min(pause * 2, longestPauseMs)
      }).pipe(
        Effect.catchAll((error) =>
          Effect.logWarning(`work could not be claimed: ${error.message}`).pipe(
            Effect.zipRight(Effect.sleep(Duration.millis(firstPauseMs))),
            Effect.as(firstPauseMs)
          )
        ),
        Effect.flatMap(loop)
      )
    yield* Effect.forkScoped(Effect.interruptible(loop(firstPauseMs)))
  })

/** A worker for these lanes; without any, for all. */
export const layer = (worked: ReadonlyArray<Lane> = lanes): Layer.Layer<never, never, Storage | Dispatcher | Wakeup> =>
  Layer.scopedDiscard(work(worked))
