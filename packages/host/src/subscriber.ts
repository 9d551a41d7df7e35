import type { Subscriber } from "@parley/core"
import { Cause, Effect, Exit, type Fiber, Runtime } from "effect"
import type { AnyEventHandler, EventAttempt } from "./Subscription.js"

/** The failure of a handler, for people. */
const failureText = (error: unknown): string => {
  try {
    if (error instanceof Error) return `${error.name}: ${error.message}`
    const text = String(error)
    return text === "[object Object]" ? (JSON.stringify(error) ?? text) : text
  } catch {
    // Such as `Object.create(null)`. A throw here would end the process as an unhandled rejection.
    return "The handler failed with a value that has no text."
  }
}

/**
 * How long a handler may run without giving way before a warning, in ms. Leases of jobs are renewed every few seconds.
 */
const maxBlockingMs = 1_000

/**
 * The function of the subscription `name` that calls a handler, with a timeout in ms. A failure while this process
 * stops does not count as an attempt, because the handler's resources may be closed. The timeout takes one fiber, and
 * none if the handler returns no promise: `Effect.timeoutFail` takes two fibers and 45 operations for each event.
 */
export const subscriber =
  (
    name: string,
    handler: AnyEventHandler,
    { isStopping, timeoutMs }: { readonly isStopping: () => boolean; readonly timeoutMs: number }
  ): Subscriber =>
  (body, { deliveryId, number }) =>
    Effect.flatMap(Effect.runtime<never>(), (runtime) =>
      Effect.async<void, string | null>((resume) => {
        const abort = lazySignal()
        const began = performance.now()
        let timeout: Fiber.RuntimeFiber<void> | undefined
        let blockedMs = 0
        const end = (result: Effect.Effect<void, string | null>) => {
          timeout?.unsafeInterruptAsFork(timeout.id())
          resume(Effect.zipRight(warnOfBlocking(name, blockedMs), result))
        }
        const fail = (reason: string, cause: Cause.Cause<never>) =>
          end(
            Effect.zipRight(
              Effect.logWarning(
                `The handler of the subscription ${name} failed at attempt ${number}: ${reason}`,
                cause
              ),
              Effect.fail(reason)
            ).pipe(Effect.annotateLogs("delivery_id", deliveryId))
          )
        const failed = (error: unknown) =>
          isStopping()
            ? end(Effect.fail(null))
            : fail(failureText(error), error instanceof Error ? Cause.die(error) : Cause.empty)
        const call = () => {
          try {
            return handler(JSON.parse(body) as never, abort.given({ deliveryId, attempt: number }))
          } finally {
            blockedMs = performance.now() - began
          }
        }
        try {
          const handled = call()
          if (!isThenable(handled)) return end(Effect.void)
          timeout = Runtime.runFork(runtime, Effect.sleep(timeoutMs))
          timeout.addObserver((exit) => {
            if (Exit.isFailure(exit)) return
            abort.now()
            fail(`The handler did not end within ${timeoutMs} ms.`, Cause.empty)
          })
          handled.then(() => end(Effect.void), failed)
        } catch (error) {
          failed(error)
        }
        return Effect.suspend(() => {
          timeout?.unsafeInterruptAsFork(timeout.id())
          abort.now()
          return isStopping() ? warnOfUnended(name, deliveryId) : Effect.void
        })
      })
    )

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof (value as PromiseLike<unknown> | null | undefined)?.then === "function"

/** A signal that is made when it is read: most handlers do not, and it costs more than the rest of the call. */
const lazySignal = () => {
  let controller: AbortController | undefined
  let isAborted = false
  return {
    given: (about: Omit<EventAttempt, "signal">): EventAttempt => ({
      ...about,
      get signal() {
        controller ??= new AbortController()
        if (isAborted) controller.abort()
        return controller.signal
      }
    }),
    now: () => {
      isAborted = true
      controller?.abort()
    }
  }
}

/** Names the function that a close has waited for. */
const warnOfUnended = (name: string, deliveryId: string): Effect.Effect<void> =>
  Effect.logWarning(
    `Parley closes although the handler of the subscription ${name} has not ended. Its event is handled again. A handler that awaits parley.close() waits for itself.`
  ).pipe(Effect.annotateLogs("delivery_id", deliveryId))

const warnOfBlocking = (name: string, blockedMs: number): Effect.Effect<void> =>
  blockedMs < maxBlockingMs
    ? Effect.void
    : Effect.logWarning(
        `The handler of the subscription ${name} blocked this process for ${Math.round(blockedMs)} ms. Let it wait for promises, or use a worker thread.`
      )
