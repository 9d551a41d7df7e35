import { describe, expect, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import { withProgress } from "../../src/commands/progress.js"

/** Tells once a second for so long, and answers what was written. */
const writtenBy = (seconds: number, quiet: boolean, stream: { readonly isTTY?: boolean; readonly columns?: number }) =>
  Effect.gen(function* () {
    const written: Array<string> = []
    const result = yield* withProgress(
      quiet,
      (report) =>
        Effect.as(
          Effect.forEach(Array.from({ length: seconds }), (_, second) =>
            Effect.zipRight(report(`${second} of ${seconds} rows`), TestClock.adjust("1 second"))
          ),
          "done"
        ),
      { ...stream, write: (text) => written.push(text) }
    )
    expect(result).toBe("done")
    return written
  })

describe("progress", () => {
  it.effect("is a line every few seconds and at the end in a log", () =>
    Effect.map(writtenBy(12, false, {}), (written) =>
      expect(written).toEqual(["0 of 12 rows\n", "5 of 12 rows\n", "10 of 12 rows\n", "11 of 12 rows\n"])
    )
  )

  it.effect("is one line in a terminal, at most as wide, and removed at the end", () =>
    Effect.map(writtenBy(2, false, { isTTY: true, columns: 10 }), (written) =>
      expect(written).toEqual(["\r\u001b[K0 of 2 ro", "\r\u001b[K1 of 2 ro", "\r\u001b[K"])
    )
  )

  it.effect("is also removed after a failure", () =>
    Effect.gen(function* () {
      const written: Array<string> = []
      const stream = { isTTY: true, write: (text: string) => written.push(text) }
      yield* Effect.flip(withProgress(false, (report) => Effect.zipRight(report("half"), Effect.fail("no")), stream))
      expect(written.at(-1)).toBe("\r\u001b[K")
    })
  )

  it.effect("is not printed with --json", () =>
    Effect.map(writtenBy(12, true, { isTTY: true }), (written) => expect(written).toEqual([]))
  )
})
