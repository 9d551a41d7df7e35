import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import { inOrder, internal, serviceLayer } from "../../src/kernel/serviceLayers.js"

interface Base {
  readonly name: string
}
const Base = Context.GenericTag<Base>("test/Base")
class One extends Context.Tag("test/One")<One, string>() {}
class Two extends Context.Tag("test/Two")<Two, string>() {}

const logged = (ended: Array<string>, name: string) =>
  Effect.addFinalizer(() => Effect.sync(() => void ended.push(name)))

describe("services made in order", () => {
  const ended: Array<string> = []
  const replacedBase = serviceLayer(
    Base,
    Effect.map(Base, ({ name }): Base => ({ name: `${name}, replaced` }))
  )
  const one = serviceLayer(
    One,
    Effect.zipRight(
      logged(ended, "one"),
      Effect.map(Base, ({ name }) => `one on ${name}`)
    )
  )
  const two = serviceLayer(
    Two,
    Effect.zipRight(
      logged(ended, "two"),
      Effect.map(One, (one) => `two on ${one}`)
    )
  )
  const all = inOrder(internal(replacedBase), one, two).pipe(
    Layer.provideMerge(Layer.succeed(Base, { name: "the host's" }))
  )

  it.effect("get the services before them, and end in reverse order", () =>
    Effect.gen(function* () {
      const found = yield* Effect.scoped(Effect.provide(Effect.all([One, Two]), all))
      assert.deepStrictEqual(found, ["one on the host's, replaced", "two on one on the host's, replaced"])
      assert.deepStrictEqual(ended.splice(0), ["two", "one"])
    })
  )

  it.effect("leave an internal service out, and the host's in place", () =>
    Effect.gen(function* () {
      const { name } = yield* Effect.provide(Base, all)
      assert.strictEqual(name, "the host's")
    })
  )

  it.effect("end those that were made when one fails", () =>
    Effect.gen(function* () {
      const failing = serviceLayer(Two, Effect.fail("no"))
      const layer = inOrder(one, failing).pipe(Layer.provide(Layer.succeed(Base, { name: "the host's" })))
      ended.length = 0
      assert.strictEqual(yield* Effect.flip(Effect.scoped(Layer.build(layer))), "no")
      assert.deepStrictEqual(ended, ["one"])
    })
  )

  it("have layers of their own", () => {
    assert.throws(() => inOrder(Layer.succeed(Base, { name: "any" })), "serviceLayer")
  })
})
