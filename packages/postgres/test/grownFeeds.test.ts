import { expect, it } from "@effect/vitest"
import { Wakeup } from "@parley/core"
import { layer } from "@parley/postgres"
import { freshPostgres } from "@parley/testkit/databases"
import { Context, Effect, Fiber, Layer, Queue, Redacted } from "effect"

it.scopedLive("hints of feeds reach other processes, all of many, and not their own", () =>
  Effect.gen(function* () {
    const url = Redacted.make(yield* freshPostgres)
    const open = Effect.map(Layer.build(Layer.fresh(layer({ url }))), Context.get(Wakeup))
    const one = yield* open
    const other = yield* open
    const own = yield* one.grownFeeds
    const lanes = yield* other.hints
    const feeds = yield* other.grownFeeds
    // Names as long as real ones: more than one notification can carry.
    const all = new Set(Array.from({ length: 700 }, (_, n) => `feed-${n}`.padEnd(16, "x")))
    const seen = new Set<string>()
    const reading = yield* Effect.fork(
      Effect.repeat(
        Effect.map(Queue.take(feeds), (names) => {
          for (const name of names) seen.add(name)
        }),
        { until: () => seen.size === all.size }
      )
    )
    // Until the other process listens, hints are lost.
    const repeat = Effect.forever(Effect.zipRight(one.notifyFeeds(all), Effect.sleep(200)))
    yield* Effect.raceFirst(Fiber.join(reading), repeat)
    expect(seen).toEqual(all)
    expect([yield* Queue.size(own), yield* Queue.size(lanes)]).toEqual([0, 0])
  })
)
