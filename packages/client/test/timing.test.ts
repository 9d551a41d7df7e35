import { expect, it, vi } from "vitest"
import { realTiming } from "../src/transport/Timing.js"

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
