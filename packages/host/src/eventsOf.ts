import type { EventAttempt, Subscription } from "./Subscription.js"

interface Taken<Event> {
  readonly event: Event
  readonly handled: () => void
  readonly failed: (error: Error) => void
}

/** Calls the listener when loops must end, or at once if they must already. Returns a function that removes it. */
export type OnClosing = (listener: () => void) => () => void

/**
 * A subscription as an async iterator: an event is handled when the next one is asked for. If the loop ends before, by
 * `break` or by an error, its event counts as failed and is retried. If the loop takes too long for its event, this
 * process takes no other event until the loop asks for one.
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
      } catch (error) {
        subscription = null
        removeListener()
        throw error
      }
    }
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
    return {
      next: async () => {
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
      },
      return: end
    }
  }
})
