import { expect, it } from "@effect/vitest"
import type { Drawn } from "@parley/core"
import { rateHeaders } from "../src/server/rateHeaders.js"

const now = 1_780_000_000_500
const drawn = (parts: Partial<Drawn>): Drawn => ({
  granted: true,
  limit: 600,
  remaining: 599,
  openedAt: now - 20_000,
  resetAt: now + 40_000,
  ...parts
})

it("describes the bucket that is nearest to empty", () => {
  expect(rateHeaders([drawn({}), drawn({ limit: 100, remaining: 3 }), drawn({ remaining: 50 })], now)).toEqual({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "3"
  })
})

it("describes the bucket that refused, and when its window ends", () => {
  const refused = drawn({ granted: false, limit: 100, remaining: 0, resetAt: now + 12_300 })
  expect(rateHeaders([drawn({ remaining: 0 }), refused], now)).toEqual({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1780000013",
    "retry-after": "13"
  })
})

it("asks to wait a second at least", () => {
  const refused = drawn({ granted: false, remaining: 0, resetAt: now - 5 })
  expect(rateHeaders([refused], now)["retry-after"]).toBe("1")
})

it("waits until the window is over", () => {
  const refused = drawn({ granted: false, remaining: 0, resetAt: now + 1 })
  const headers = rateHeaders([refused], now)
  expect(Number(headers["x-ratelimit-reset"]) * 1_000).toBeGreaterThanOrEqual(now + 1)
})
