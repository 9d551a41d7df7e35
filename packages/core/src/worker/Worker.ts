import { Clock, Duration, Effect, Layer, Queue } from "effect"
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
    const claim = Effect.gen(function* () {
      const wishes = worked.flatMap((lane) => dispatcher.wish(lane) ?? [])
      const now = yield* Clock.currentTimeMillis
      if (wishes.length === 0) return { claimed: 0, dueInMs: pauseMs }
      const { jobs, nextDueAt } = yield* storage.claimJobs({ now, owner: dispatcher.owner, leaseMs, lanes: wishes })
      yield* Effect.forEach(jobs, dispatcher.start, { discard: true })
      return { claimed: jobs.length, dueInMs: nextDueAt === null ? pauseMs : Math.max(1, nextDueAt - now) }
    })

    const rest = (ms: number) =>
      Effect.raceAll([Queue.take(hints), dispatcher.roomMade, Effect.sleep(Duration.millis(Math.min(ms, pauseMs)))])

    const round = claim.pipe(
      Effect.flatMap(({ claimed, dueInMs }) => (claimed > 0 ? Effect.void : rest(dueInMs))),
      Effect.catchAll((error) =>
        Effect.zipRight(
          Effect.logWarning(`work could not be claimed: ${error.message}`),
          Effect.sleep(Duration.millis(pauseMs))
        )
      )
    )
    yield* Effect.forkScoped(Effect.interruptible(Effect.forever(round)))
  })

/** A worker for these lanes; without any, for all. */
export const layer = (worked: ReadonlyArray<Lane> = lanes): Layer.Layer<never, never, Storage | Dispatcher | Wakeup> =>
  Layer.scopedDiscard(work(worked))
