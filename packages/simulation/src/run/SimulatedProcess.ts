import type { EventLoopService } from "@parley/core"
import { EventLoop } from "@parley/core"
import { Clock, Duration, Effect, type Fiber, Logger, LogLevel, Random, Scheduler } from "effect"
import { PCGRandom } from "effect/Utils"
import type { Timeline } from "./Timeline.js"

/**
 * A process with its own event loop, clocks and random numbers on a {@link Timeline}. Its code takes no simulated time;
 * time passes only while it waits.
 */
export interface SimulatedProcess {
  readonly name: string
  readonly loop: EventLoopService
  /** Waits by the monotonic clock of this process. Not interruptible, as a call to another machine. */
  readonly pass: (ms: number) => Effect.Effect<void>
  readonly isAlive: () => boolean
  /** Runs an effect in this process. No effect after a crash. */
  readonly fork: <A, E>(effect: Effect.Effect<A, E>) => Fiber.RuntimeFiber<A, E>
  /** Never runs the process again: no finalizer, no timer, no answer. `whenCrashed` listeners run. */
  readonly crash: () => void
  /** Calls `listener` at the crash. Returns a function that removes it. */
  readonly onCrash: (listener: () => void) => () => void
  /** Stops the process for `ms`, as SIGSTOP does: its due timers and answers run afterwards. */
  readonly stall: (ms: number) => void
  /**
   * Stops the process for `ms`, as the suspension of its machine does: its monotonic clock and its timers stop too, its
   * wall clock goes on.
   */
  readonly suspend: (ms: number) => void
  /** Steps the wall clock. The monotonic clock goes on. */
  readonly stepClock: (ms: number) => void
  /** Makes the wall clock run faster (or slower, if negative) by these ms a second. */
  readonly drift: (msPerSecond: number) => void
}

interface Cancellable {
  /** Null after the cancellation. */
  task: (() => void) | null
}

export const makeProcess = (timeline: Timeline, name: string, seed: number): SimulatedProcess => {
  const random = new PCGRandom(seed)
  const crashed = new Set<() => void>()
  let alive = true
  let stalledUntil = 0
  let suspendedMs = 0
  let offset = 0
  let driftBy = 0
  let driftSince = timeline.now()
  let ready: Array<() => void> = []
  let deferred: Array<Cancellable> = []
  let isTurnPlanned = false

  /** Time since an arbitrary moment, without that in which the machine was suspended. */
  const monotonic = () => timeline.now() - suspendedMs
  const wallClock = () => timeline.now() + offset + Math.floor(((timeline.now() - driftSince) / 1_000) * driftBy)

  /** Runs a task in this process: at once, after the present stall, or never. */
  const enter = (task: () => void): void => {
    if (!alive) return
    if (timeline.now() < stalledUntil) return void timeline.after(stalledUntil - timeline.now(), () => enter(task))
    task()
  }

  /** A turn of the event loop: all tasks, including those that they add, then the deferred ones of this turn. */
  const turn = () => {
    isTurnPlanned = false
    for (let i = 0; i < ready.length && alive; i++) ready[i]?.()
    ready = []
    const now = deferred
    deferred = []
    for (const one of now) if (alive) one.task?.()
    if (ready.length + deferred.length > 0) planTurn()
  }
  const planTurn = () => {
    if (isTurnPlanned) return
    isTurnPlanned = true
    timeline.after(0, () => enter(turn))
  }

  const loop: EventLoopService = {
    now: wallClock,
    setTimer: (task, ms) => {
      const timer: Cancellable = { task }
      const dueAt = monotonic() + Math.max(0, Math.ceil(ms))
      const ring = () => {
        const left = dueAt - monotonic()
        if (left > 0) timeline.after(left, () => enter(ring))
        else timer.task?.()
      }
      timeline.after(ms, () => enter(ring))
      return () => {
        timer.task = null
      }
    },
    defer: (task) => {
      const one: Cancellable = { task }
      deferred.push(one)
      planTurn()
      return () => {
        one.task = null
      }
    },
    random: () => random.number()
  }
  const scheduler: Scheduler.Scheduler = {
    shouldYield: Scheduler.defaultShouldYield,
    scheduleTask: (task) => {
      ready.push(task)
      planTurn()
    }
  }
  const clock = clockOf(loop, () => BigInt(monotonic()) * 1_000_000n)
  const randomService = Random.make(`${name}-${seed}`)

  return {
    name,
    loop,
    pass: (ms) => Effect.uninterruptible(Effect.async((resume) => void loop.setTimer(() => resume(Effect.void), ms))),
    isAlive: () => alive,
    fork: (effect) =>
      Effect.runFork(
        effect.pipe(
          Effect.provideService(EventLoop, loop),
          Effect.withClock(clock),
          Effect.withRandom(randomService),
          Logger.withMinimumLogLevel(LogLevel.None)
        ),
        { scheduler }
      ),
    crash: () => {
      if (!alive) return
      alive = false
      ready = []
      deferred = []
      for (const listener of [...crashed]) listener()
    },
    onCrash: (listener) => {
      crashed.add(listener)
      return () => void crashed.delete(listener)
    },
    stall: (ms) => {
      // A shorter stall does not end a longer one.
      stalledUntil = Math.max(stalledUntil, timeline.now() + ms)
    },
    suspend: (ms) => {
      stalledUntil = Math.max(stalledUntil, timeline.now() + ms)
      suspendedMs += ms
    },
    stepClock: (ms) => {
      offset += ms
    },
    drift: (msPerSecond) => {
      offset = wallClock() - timeline.now()
      driftSince = timeline.now()
      driftBy = msPerSecond
    }
  }
}

const clockOf = (loop: EventLoopService, nanos: () => bigint): Clock.Clock => ({
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
})
