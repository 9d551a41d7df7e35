import { Duration, Effect, Fiber } from "effect"
import type { EventLoopService } from "../ports/EventLoop.js"
import { nextTurn } from "./nextTurn.js"

const tickMs = 1_000

/**
 * Calls `task` once this process has run for `ms`. A stop of the process counts as at most one second, whether by
 * SIGSTOP, a suspended machine or a blocked event loop: a receiver is not late because this process was. Returns a
 * function that cancels it.
 */
export const afterRunning = (setTimer: EventLoopService["setTimer"], ms: number, task: () => void): (() => void) => {
  let left = ms
  let cancel = () => {}
  const wait = () => {
    const next = Math.min(left, tickMs)
    left -= next
    cancel = setTimer(left > 0 ? wait : task, next)
  }
  wait()
  return () => cancel()
}

/**
 * Interrupts an effect and continues with `late` once this process has run for `ms`, counted as by
 * {@link afterRunning}. An answer that arrived while the process was stopped is read first.
 */
export const timeoutTo =
  <B, E2>(ms: number, late: Effect.Effect<B, E2>) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A | B, E | E2, R> => {
    const wait = (left: number): Effect.Effect<void> =>
      left > tickMs
        ? Effect.flatMap(Effect.sleep(Duration.millis(tickMs)), () => wait(left - tickMs))
        : Effect.zipRight(Effect.sleep(Duration.millis(left)), nextTurn)
    // As an exit: Effect logs the error of a fiber that fails, which may contain a secret.
    return Effect.raceWith(Effect.exit(effect), Effect.interruptible(wait(ms)), {
      onSelfDone: (exit, waiting) => Effect.zipRight(Fiber.interrupt(waiting), Effect.flatten(exit)),
      onOtherDone: (_, running) => Effect.zipRight(Fiber.interrupt(running), late)
    })
  }
