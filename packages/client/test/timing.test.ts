import { getEventListeners } from "node:events"
import { expect, it, vi } from "vitest"
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
    const shutdown = new AbortController()
    const ended = pause(realTiming, 10, undefined, shutdown.signal)
    vi.advanceTimersByTime(10)
    expect(await ended).toBe(true)
    const cut = pause(realTiming, 60_000, undefined, shutdown.signal)
    shutdown.abort()
    expect([await cut, await pause(realTiming, 60_000, undefined, shutdown.signal)]).toEqual([false, false])
    expect([vi.getTimerCount(), getEventListeners(shutdown.signal, "abort").length]).toEqual([0, 0])
  } finally {
    vi.useRealTimers()
  }
})
