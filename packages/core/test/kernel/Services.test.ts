import { expect, it } from "@effect/vitest"
import { Context, Effect } from "effect"
import { describe } from "vitest"
import { Services } from "../../src/kernel/Services.js"

const Port = Context.GenericTag<"Port", number>("test/Port")
const Doubled = Context.GenericTag<"Doubled", number>("test/Doubled")
const Sum = Context.GenericTag<"Sum", number>("test/Sum")

const services = Services.none
  .add(
    Doubled,
    Effect.map(Port, (port) => 2 * port)
  )
  .add(
    Sum,
    Effect.zipWith(Port, Doubled, (port, doubled) => port + doubled)
  )

describe("services", () => {
  it.effect("are made of those before them and of the ports", () =>
    Effect.gen(function* () {
      const made = yield* Effect.provideService(services.made, Port, 1)
      expect([Context.get(made, Doubled), Context.get(made, Sum)]).toEqual([2, 3])
      expect([...made.unsafeMap.keys()]).toEqual([Doubled.key, Sum.key])
    })
  )
  it.effect("are made anew each time", () =>
    Effect.gen(function* () {
      const sums = yield* Effect.forEach([1, 10], (port) =>
        Effect.map(Effect.provideService(services.made, Port, port), Context.get(Sum))
      )
      expect(sums).toEqual([3, 30])
    })
  )
  it.effect("may replace a port for those after them", () =>
    Effect.gen(function* () {
      const replaced = Services.none
        .add(
          Port,
          Effect.map(Port, (port) => port + 1)
        )
        .add(
          Sum,
          Effect.map(Port, (port) => port)
        )
      const made = yield* Effect.provideService(replaced.made, Port, 1)
      expect(Context.get(made, Sum)).toBe(2)
      expect(yield* Effect.provideService(Effect.zipRight(replaced.made, Port), Port, 1)).toBe(1)
    })
  )
})
