import { expect, it } from "@effect/vitest"
import type { RateToken } from "@parley/core"
import { rateHeaders } from "../src/server/rateHeaders.js"

const now = 1_780_000_000_500
const rateToken = (parts: Partial<RateToken>): RateToken => ({
  granted: true,
  limit: 600,
  remaining: 599,
  openedAt: now - 20_000,
  resetAt: now + 40_000,
  ...parts
})

it("describes the bucket with the fewest tokens left", () => {
  expect(
    rateHeaders([rateToken({}), rateToken({ limit: 100, remaining: 3 }), rateToken({ remaining: 50 })], now)
  ).toEqual({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "3"
  })
})

it("describes the bucket that refused, and the end of its window", () => {
  const refused = rateToken({ granted: false, limit: 100, remaining: 0, resetAt: now + 12_300 })
  expect(rateHeaders([rateToken({ remaining: 0 }), refused], now)).toEqual({
    "x-ratelimit-limit": "100",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": "1780000013",
    "retry-after": "13"
  })
})

it("has a Retry-After of at least one second", () => {
  const refused = rateToken({ granted: false, remaining: 0, resetAt: now - 5 })
  expect(rateHeaders([refused], now)["retry-after"]).toBe("1")
})

it("has a Retry-After that reaches the end of the window", () => {
  const refused = rateToken({ granted: false, remaining: 0, resetAt: now + 1 })
  const headers = rateHeaders([refused], now)
  expect(Number(headers["x-ratelimit-reset"]) * 1_000).toBeGreaterThanOrEqual(now + 1)
})
