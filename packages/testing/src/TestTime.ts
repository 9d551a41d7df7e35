import { EventLoop, type EventLoopService } from "@parley/core"
import { Clock, Duration, Effect, Layer, Random, Scheduler } from "effect"

/** The time of one engine, which passes only when the test moves it. */
export interface TestTime {
  readonly now: () => number
  /** The services of the engine's process: clock, event loop, scheduler, random numbers. */
  readonly process: Layer.Layer<never>
  /** Counts as work until it has settled. */
  readonly track: <A>(work: Promise<A>) => Promise<A>
  /** Counts as work while it runs. */
  readonly trackEffect: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Waits until nothing is left to do at the present time. */
  readonly idle: () => Promise<void>
  /** Whether tracked work has not settled. */
  readonly isWorking: () => boolean
  /** The time of the next timer in ms; null: none. */
  readonly nextTimer: () => number | null
  /** Moves time to `at`, in ms, and runs the timers that are due then, in their order. */
  readonly moveTo: (at: number) => void
}

interface Timer {
  readonly at: number
  readonly order: number
  readonly task: () => void
}

/**
 * Real time in ms after which tracked work is taken to wait for the time of the test, such as a handler that never ends
 * and whose timeout is due later.
 */
const workTimeoutMs = 1_000

/** Turns of Node's event loop without activity after which the engine is idle: promises chain over a few. */
const quietTurns = 3

export const makeTestTime = (startsAt: number): TestTime => {
  let now = startsAt
  let order = 0
  let activity = 0
  const working = new Set<symbol>()
  const timers = new Set<Timer>()

  const loop: EventLoopService = {
    now: () => now,
    setTimer: (task, ms) => {
      const timer = { at: now + Math.max(0, Math.ceil(ms)), order: order++, task }
      timers.add(timer)
      return () => void timers.delete(timer)
    },
    defer: (task) => {
      activity++
      const turn = setImmediate(task)
      return () => clearImmediate(turn)
    },
    // Jitter is in the middle of its range, so that due times are round.
    random: () => 0.5
  }
  const nanos = () => BigInt(now) * 1_000_000n
  const clock: Clock.Clock = {
    [Clock.ClockTypeId]: Clock.ClockTypeId,
    unsafeCurrentTimeMillis: loop.now,
    unsafeCurrentTimeNanos: nanos,
    currentTimeMillis: Effect.sync(loop.now),
    currentTimeNanos: Effect.sync(nanos),
    sleep: (duration) =>
      Effect.async<void>((resume) => {
        const cancel = loop.setTimer(() => resume(Effect.void), Duration.toMillis(duration))
        return Effect.sync(cancel)
      })
  }
  const native = new Scheduler.MixedScheduler(2_048)
  const scheduler: Scheduler.Scheduler = {
    shouldYield: (fiber) => native.shouldYield(fiber),
    scheduleTask: (task, priority) => {
      activity++
      native.scheduleTask(task, priority)
    }
  }

  const due = (): ReadonlyArray<Timer> =>
    [...timers].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at || one.order - other.order)
  const begin = (): symbol => {
    const work = Symbol("work")
    working.add(work)
    return work
  }
  const end = (work: symbol) => {
    working.delete(work)
    activity++
  }

  return {
    now: () => now,
    process: Layer.mergeAll(
      Layer.succeed(EventLoop, loop),
      Layer.setClock(clock),
      Layer.setScheduler(scheduler),
      Layer.setRandom(Random.fixed([0.5]))
    ),
    track: (promise) => {
      const work = begin()
      return promise.finally(() => end(work))
    },
    trackEffect: (effect) =>
      Effect.acquireUseRelease(
        Effect.sync(begin),
        () => effect,
        (work) => Effect.sync(() => end(work))
      ),
    idle: async () => {
      let seen = activity
      let since = performance.now()
      for (let quiet = 0; quiet < quietTurns; ) {
        await turn()
        if (activity !== seen) {
          quiet = 0
          seen = activity
          since = performance.now()
        } else if (working.size === 0) quiet++
        else if (performance.now() - since > workTimeoutMs) working.clear()
      }
    },
    isWorking: () => working.size > 0,
    nextTimer: () => {
      let next: number | null = null
      for (const { at } of timers) if (next === null || at < next) next = at
      return next
    },
    moveTo: (at) => {
      now = Math.max(now, at)
      for (const timer of due()) {
        if (!timers.delete(timer)) continue
        activity++
        timer.task()
      }
    }
  }
}

const turn = () => new Promise<void>((resolve) => void setImmediate(resolve))
