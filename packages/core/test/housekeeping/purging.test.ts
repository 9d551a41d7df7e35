import { expect, it } from "@effect/vitest"
import { Effect, Logger, TestClock } from "effect"
import { Housekeeping, purging } from "../../src/housekeeping/Housekeeping.js"

it.scoped("history is purged again 10 minutes after a purge that died", () =>
  Effect.gen(function* () {
    const lines: Array<unknown> = []
    let purges = 0
    const purge = Effect.suspend(() => (++purges === 1 ? Effect.dieMessage("no such column") : Effect.void))
    yield* purging.pipe(
      Effect.provideService(Housekeeping, { run: () => Effect.void, purge }),
      Effect.provide(
        Logger.replace(
          Logger.defaultLogger,
          Logger.make(({ message }) => void lines.push((message as ReadonlyArray<unknown>)[0]))
        )
      )
    )
    yield* TestClock.adjust("10 minutes")
    expect([purges, lines]).toEqual([1, ["history could not be purged"]])
    yield* TestClock.adjust("10 minutes")
    expect(purges).toBe(2)
  })
)
