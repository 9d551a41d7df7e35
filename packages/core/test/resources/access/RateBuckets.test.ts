import { expect, it } from "@effect/vitest"
import { Effect, Layer, TestClock } from "effect"
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
  }).pipe(Effect.provide(Layer.provide(Layer.effect(RateBuckets.RateBuckets, RateBuckets.make), storage)))
})

/** Buckets that grant one token in each window, and the number of times that the storage was called. */
const oneToken = Effect.gen(function* () {
  const windows = new Map<string, number>()
  let calls = 0
  const storage = Layer.mock(Storage, {
    takeToken: ({ bucket, limit, now, windowMs }) => {
      calls++
      const openedAt = windows.get(bucket) ?? Number.NEGATIVE_INFINITY
      const granted = now >= openedAt + windowMs || now < openedAt - windowMs
      if (granted) windows.set(bucket, now)
      const opened = granted ? now : openedAt
      return Effect.succeed({ granted, limit, remaining: 0, openedAt: opened, resetAt: opened + windowMs })
    }
  })
  const buckets = yield* Effect.provide(
    RateBuckets.RateBuckets,
    Layer.provide(Layer.effect(RateBuckets.RateBuckets, RateBuckets.make), storage)
  )
  const take = (kind: "anonymous" | "administrator" | "token", address = "192.0.2.1") =>
    Effect.match(buckets[kind](address), {
      onFailure: (error) => (error._tag === "Refusal" ? error.code : error._tag),
      onSuccess: () => "granted"
    })
  return { buckets, take, calls: () => calls }
})

it.effect("an empty bucket of an address refuses without the storage until its window ends", () =>
  Effect.gen(function* () {
    for (const kind of ["anonymous", "administrator", "token"] as const) {
      const { calls, take } = yield* oneToken
      expect([yield* take(kind), yield* take(kind), yield* take(kind)]).toEqual([
        "granted",
        "rate_limited",
        "rate_limited"
      ])
      expect(calls()).toBe(2)
      expect(yield* take(kind, "192.0.2.2")).toBe("granted")
      yield* TestClock.adjust("59999 millis")
      expect(yield* take(kind)).toBe("rate_limited")
      expect(calls()).toBe(3)
      yield* TestClock.adjust("1 millis")
      expect(yield* take(kind)).toBe("granted")
    }
  })
)

it.effect("an empty bucket is not known to be empty once the clock was set back", () =>
  Effect.gen(function* () {
    const { take } = yield* oneToken
    yield* TestClock.setTime(1_000_000)
    expect([yield* take("anonymous"), yield* take("anonymous")]).toEqual(["granted", "rate_limited"])
    yield* TestClock.setTime(939_999)
    expect(yield* take("anonymous")).toBe("granted")
  })
)

it.effect("a bucket is known to be empty after it refused, apart from other buckets and addresses", () =>
  Effect.gen(function* () {
    const { buckets, take } = yield* oneToken
    const known = (kind: "anonymous" | "token", address = "192.0.2.1") =>
      buckets.knownRefusal(kind, address, 0)?.refusal.code ?? null
    yield* take("anonymous")
    expect(known("anonymous")).toBeNull()
    yield* take("anonymous")
    expect([known("anonymous"), known("anonymous", "192.0.2.2"), known("token")]).toEqual(["rate_limited", null, null])
  })
)
