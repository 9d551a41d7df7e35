import { describe, expect, it } from "@effect/vitest"
import { minute, second } from "../../src/model/Instant.js"
import { backoff } from "../../src/queue/backoff.js"

describe("backoff", () => {
  it.each([
    [0, second],
    [1, second],
    [2, 2 * second],
    [3, 4 * second],
    [9, 256 * second],
    [10, 5 * minute],
    [400, 5 * minute],
    [5_000, 5 * minute]
  ])("after %i tries is %i ms, from a second to five minutes", (tries, pause) => {
    expect(backoff(second, 5 * minute)(tries)).toBe(pause)
  })
})
