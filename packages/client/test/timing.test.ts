import { getEventListeners } from "node:events"
import { expect, it, vi } from "vitest"
import { makeShutdown } from "../src/transport/Shutdown.js"
import { pause, realTiming } from "../src/transport/Timing.js"

it("limits delays to the maximum of a timer", () => {
  vi.useFakeTimers()
  try {
    let done = 0
    realTiming.after(Number.POSITIVE_INFINITY, () => done++)
    const cancel = realTiming.after(10, () => done++)
    cancel()
    vi.advanceTimersByTime(86_400_000)
    expect(done).toBe(0)
    vi.advanceTimersByTime(24 * 86_400_000)
    expect(done).toBe(1)
  } finally {
    vi.useRealTimers()
  }
})

it("ends a pause early at a shutdown, and leaves neither a timer nor a listener", async () => {
  vi.useFakeTimers()
  try {
    const controller = new AbortController()
    const shutdown = makeShutdown(controller.signal)
    const listeners = () => getEventListeners(controller.signal, "abort").length
    const ended = pause(realTiming, 10, undefined, shutdown)
    vi.advanceTimersByTime(10)
    expect([await ended, listeners()]).toEqual([true, 0])
    const cut = Array.from({ length: 20 }, () => pause(realTiming, 60_000, undefined, shutdown))
    expect(listeners()).toBe(1)
    controller.abort()
    expect(new Set(await Promise.all([...cut, pause(realTiming, 60_000, undefined, shutdown)]))).toEqual(
      new Set([false])
    )
    expect([vi.getTimerCount(), listeners()]).toEqual([0, 0])
  } finally {
    vi.useRealTimers()
  }
})
