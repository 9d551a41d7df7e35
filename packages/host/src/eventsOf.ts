import type { WebhookEventOf } from "@parley/client"
import type { EventHandler, SubscribedType, Subscription } from "./Subscription.js"

interface Taken<Type extends SubscribedType> {
  readonly event: WebhookEventOf<Type>
  readonly handled: () => void
  readonly failed: (error: Error) => void
}

/**
 * A subscription as an async iterator: an event is handled when the next one is asked for. If the loop ends before, by
 * `break` or by an error, its event counts as failed and is retried. `closing` resolves when the loop must end.
 */
export const eventsOf = <Type extends SubscribedType>(
  subscribe: (handler: EventHandler<Type>) => Promise<Subscription>,
  closing: Promise<void>
): AsyncIterable<WebhookEventOf<Type>> => ({
  [Symbol.asyncIterator]: () => {
    const waiting: Array<Taken<Type>> = []
    let arrived = () => {}
    let isClosing = false
    let current: Taken<Type> | null = null
    let subscription: Promise<Subscription> | null = null
    void closing.then(() => {
      isClosing = true
      arrived()
    })

    const handler: EventHandler<Type> = (event) =>
      new Promise<void>((handled, failed) => {
        waiting.push({ event, handled, failed })
        arrived()
      })
    const end = async () => {
      const left = current === null ? waiting : [current, ...waiting]
      current = null
      for (const { failed } of left.splice(0)) failed(new Error("The loop ended before the event was handled."))
      await (await subscription)?.stop()
      return { done: true as const, value: undefined }
    }
    return {
      next: async () => {
        current?.handled()
        current = null
        if (isClosing) return end()
        subscription ??= subscribe(handler)
        await subscription
        while (waiting.length === 0 && !isClosing) {
          await new Promise<void>((resolve) => {
            arrived = resolve
          })
        }
        current = waiting.shift() ?? null
        return current === null || isClosing ? end() : { done: false as const, value: current.event }
      },
      return: end
    }
  }
})
