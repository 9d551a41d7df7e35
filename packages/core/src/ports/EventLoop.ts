import { Context } from "effect"
import type { Instant } from "../model/Instant.js"

/**
 * Time, timers, deferral and random numbers of one process. Core, the SQL storage and the HTTP interface use this port
 * or Effect's `Clock` and `Random`, so that a simulation can run a process with a clock and an event loop of its own
 * (docs/architecture.md#time-and-random-numbers). Ids and secrets come from `Ids`. The default is the event loop of
 * this Node process.
 */
export class EventLoop extends Context.Reference<EventLoop>()("@parley/core/EventLoop", {
  defaultValue: (): EventLoopService => nodeEventLoop
}) {}

/** See {@link EventLoop}. */
export interface EventLoopService {
  /** The present time in ms since the Unix epoch. May step back. */
  readonly now: () => Instant
  /** Calls `task` once after `ms`. Returns a function that cancels it. */
  readonly setTimer: (task: () => void, ms: number) => () => void
  /**
   * Calls `task` once in the next turn of the event loop, after all that this turn can do. Returns a function that
   * cancels it.
   */
  readonly defer: (task: () => void) => () => void
  /** A number in [0, 1). Not for secrets. */
  readonly random: () => number
}

/** The event loop of this Node process. */
const nodeEventLoop: EventLoopService = {
  now: () => Date.now(),
  setTimer: (task, ms) => {
    const timer = setTimeout(task, ms)
    return () => clearTimeout(timer)
  },
  defer: (task) => {
    const turn = setImmediate(task)
    return () => clearImmediate(turn)
  },
  random: () => Math.random()
}
