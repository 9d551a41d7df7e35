import { ParleyError } from "@parley/client"
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest"
import { eventsOf } from "../src/eventsOf.js"
import type { EventAttempt, Subscription } from "../src/index.js"

type Handler = (event: string, attempt: EventAttempt) => unknown

const unavailable = new ParleyError({ code: "service_unavailable", status: 503, message: "the storage is busy" })
const forbidden = new ParleyError({ code: "forbidden", status: 403, message: "the scope is missing" })

/** A loop whose subscriptions succeed, or fail with these errors, in their order. */
const looping = (...results: ReadonlyArray<Error | null>) => {
  const handlers: Array<Handler> = []
  let listener = () => {}
  const subscription = { stop: async () => {} } as unknown as Subscription
  const subscribe = async (handler: Handler): Promise<Subscription> => {
    const failure = results[handlers.length] ?? null
    handlers.push(handler)
    if (failure !== null) throw failure
    return subscription
  }
  const iterator = eventsOf<string>(subscribe, (onClosing) => {
    listener = onClosing
    return () => {}
  })[Symbol.asyncIterator]()
  return {
    iterator,
    subscriptions: () => handlers.length,
    /** An event for the newest subscription; aborting means that its time is over. */
    receive: (event: string) => {
      const abort = new AbortController()
      const handled = handlers.at(-1)?.(event, { attempt: 1, deliveryId: "d", signal: abort.signal })
      return { abort: () => abort.abort(), handled: Promise.resolve(handled) }
    },
    close: () => listener()
  }
}

const done = { done: true, value: undefined }

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe("a loop of events", () => {
  /** A loop that took too long for its first event. */
  const late = async (...results: ReadonlyArray<Error | null>) => {
    const loop = looping(null, ...results)
    const first = loop.iterator.next()
    await vi.advanceTimersByTimeAsync(0)
    const { abort } = loop.receive("one")
    expect(await first).toEqual({ done: false, value: "one" })
    abort()
    const second = loop.iterator.next()
    await vi.advanceTimersByTimeAsync(0)
    return { ...loop, second }
  }

  it("subscribes again once an outage is over", async () => {
    const { receive, second, subscriptions } = await late(unavailable, unavailable)
    expect(subscriptions()).toBe(2)
    await vi.advanceTimersByTimeAsync(999)
    expect(subscriptions()).toBe(2)
    await vi.advanceTimersByTimeAsync(1)
    expect(subscriptions()).toBe(3)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(subscriptions()).toBe(4)
    receive("two")
    expect(await second).toEqual({ done: false, value: "two" })
  })

  it("ends during an outage", async () => {
    const broken = await late(unavailable)
    expect(await broken.iterator.return?.()).toEqual(done)
    expect(await broken.second).toEqual(done)
    const closed = await late(unavailable)
    closed.close()
    expect(await closed.second).toEqual(done)
    await vi.advanceTimersByTimeAsync(10_000)
    expect([broken.subscriptions(), closed.subscriptions()]).toEqual([2, 2])
  })

  it("fails with what does not pass, and with what keeps it from its first subscription", async () => {
    const loop = looping(null, forbidden)
    const first = loop.iterator.next()
    await vi.advanceTimersByTimeAsync(0)
    const { abort } = loop.receive("one")
    await first
    abort()
    await expect(loop.iterator.next()).rejects.toBe(forbidden)
    await expect(looping(unavailable).iterator.next()).rejects.toBe(unavailable)
  })

  it("answers calls of next one after another", async () => {
    const { iterator, receive, subscriptions } = looping()
    const both = Promise.all([iterator.next(), iterator.next()])
    await vi.advanceTimersByTimeAsync(0)
    const one = receive("one")
    await one.handled
    receive("two")
    expect(await both).toEqual([
      { done: false, value: "one" },
      { done: false, value: "two" }
    ])
    expect(subscriptions()).toBe(1)
  })
})
