import { expect, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Storage } from "../../../src/ports/Storage.js"
import * as RateBuckets from "../../../src/resources/access/RateBuckets.js"

it.effect("of addresses count an IPv6 network as one address", () => {
  const taken: Array<string> = []
  const storage = Layer.mock(Storage, {
    takeToken: ({ bucket, limit, now }) => {
      taken.push(bucket)
      return Effect.succeed({ granted: true, limit, remaining: 1, openedAt: now, resetAt: now })
    }
  })
  return Effect.gen(function* () {
    const { administrator, anonymous, token } = yield* RateBuckets.RateBuckets
    for (const take of [anonymous, administrator, token]) {
      for (const address of ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1", "192.0.2.1"]) {
        yield* take(address)
      }
    }
    expect(taken).toEqual(
      ["address", "administrator", "tokens"].flatMap((kind) =>
        ["2001:db8:1:2::/64", "2001:db8:1:2::/64", "2001:db8:1:3::/64", "192.0.2.1"].map((of) => `${kind}:${of}`)
      )
    )
  }).pipe(Effect.provide(Layer.provide(RateBuckets.layer, storage)))
})
