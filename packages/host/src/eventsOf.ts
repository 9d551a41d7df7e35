import { isParleyError } from "@parley/client"
import type { EventAttempt, Subscription } from "./Subscription.js"

interface Taken<Event> {
  readonly event: Event
  readonly handled: () => void
  readonly failed: (error: Error) => void
}

/** Calls the listener when loops must end, or at once if they must already. Returns a function that removes it. */
export type OnClosing = (listener: () => void) => () => void

/** Pause before a loop that subscribes again after an outage, in ms. */
const againMs = 1_000

const isUnavailable = (error: unknown): boolean => isParleyError(error) && error.code === "service_unavailable"

/**
 * A subscription as an async iterator: an event is handled when the next one is asked for. If the loop ends before, by
 * `break` or by an error, its event counts as failed and is retried. If the loop takes too long for its event, this
 * process takes no other event until the loop asks for one. Then it subscribes again, also if the database is away for
 * a while, which is often why the loop took long. The first subscription of a loop fails in that case.
 */
export const eventsOf = <Event>(
  subscribe: (handler: (event: Event, attempt: EventAttempt) => unknown) => Promise<Subscription>,
  onClosing: OnClosing
): AsyncIterable<Event> => ({
  [Symbol.asyncIterator]: () => {
    const waiting: Array<Taken<Event>> = []
    let current: Taken<Event> | null = null
    let arrived = () => {}
    let isOver = false
    let hasSubscribed = false
    let subscription: Promise<Subscription> | null = null
    let paused: Promise<void> = Promise.resolve()
    let removeListener = () => {}

    const stop = async () => {
      const present = subscription
      subscription = null
      await (await present)?.stop()
    }
    const handler = (event: Event, { signal }: EventAttempt) =>
      new Promise<void>((handled, failed) => {
        const taken = { event, handled, failed }
        waiting.push(taken)
        signal.addEventListener("abort", () => {
          if (waiting.includes(taken)) waiting.splice(waiting.indexOf(taken), 1)
          paused = stop()
          arrived()
        })
        arrived()
      })
    const start = async () => {
      await paused
      removeListener()
      removeListener = onClosing(() => {
        isOver = true
        arrived()
      })
      if (isOver) return
      subscription = subscribe(handler)
      try {
        await subscription
        hasSubscribed = true
      } catch (error) {
        subscription = null
        if (hasSubscribed && isUnavailable(error)) return pause()
        removeListener()
        throw error
      }
    }
    const pause = () =>
      new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, againMs)
        arrived = () => {
          clearTimeout(timer)
          resolve()
        }
        // The loop ended while it subscribed.
        if (isOver) arrived()
      })
    const end = async () => {
      isOver = true
      removeListener()
      for (const { failed } of [...(current === null ? [] : [current]), ...waiting.splice(0)]) {
        failed(new Error("The loop ended before the event was handled."))
      }
      current = null
      arrived()
      await stop()
      return { done: true as const, value: undefined }
    }
    const takeNext = async () => {
      current?.handled()
      current = null
      while (waiting.length === 0 && !isOver) {
        if (subscription === null) await start()
        else {
          await new Promise<void>((resolve) => {
            arrived = resolve
          })
        }
      }
      if (isOver) return end()
      current = waiting.shift() as Taken<Event>
      return { done: false as const, value: current.event }
    }
    let previous: Promise<unknown> = Promise.resolve()
    return {
      // One after another, as in an async generator.
      next: () => {
        const next = previous.then(takeNext)
        previous = next.catch(() => {})
        return next
      },
      return: end
    }
  }
})
