import { describe, expect, it } from "@effect/vitest"
import { Clock, Effect, TestClock } from "effect"
import { sendHintsLater } from "../../../src/flows/enqueued/sendHintsLater.js"

/** When hints were sent, in ms, if rows are written at these times, multiples of 5. */
const hintsFor = (rows: ReadonlyArray<number>) =>
  Effect.gen(function* () {
    const hints: Array<number> = []
    const written = yield* sendHintsLater(Effect.map(Clock.currentTimeMillis, (now) => void hints.push(now)))
    for (let now = 0; now < 700; now += 5) {
      yield* Effect.repeatN(Effect.yieldNow(), 2)
      if (rows.includes(now)) yield* written
      yield* Effect.repeatN(Effect.yieldNow(), 2)
      yield* TestClock.adjust(5)
    }
    return hints
  })

describe("hints for rows of a caller's transaction", () => {
  it.scoped("are sent twice for a row", () =>
    Effect.gen(function* () {
      expect(yield* hintsFor([100])).toEqual([125, 350])
    })
  )

  it.scoped("are shared by the rows of one delay", () =>
    Effect.gen(function* () {
      expect(yield* hintsFor([100, 105, 110])).toEqual([125, 150, 350, 600])
    })
  )

  it.scoped("are sent after each row, at most two delays later", () =>
    Effect.gen(function* () {
      const rows = Array.from({ length: 10 }, (_, index) => index * 10)
      const hints = yield* hintsFor(rows)
      for (const row of rows) {
        for (const delay of [25, 250]) {
          expect(hints.some((hint) => hint >= row + delay && hint <= row + 2 * delay)).toBe(true)
        }
      }
      expect(hints.length).toBeLessThan(rows.length)
    })
  )

  it.scoped("are not sent without a row", () =>
    Effect.gen(function* () {
      expect(yield* hintsFor([])).toEqual([])
    })
  )
})
