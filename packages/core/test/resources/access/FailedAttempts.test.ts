import { expect, it } from "@effect/vitest"
import { Deferred, Effect, Either, Fiber, TestClock } from "effect"
import { type FailedAttempts, makeFailedAttempts, refuse } from "../../../src/index.js"

const limits = { burst: 3, perMinute: 20 }
const fails = Effect.fail(refuse("unauthenticated"))

/** The code of the outcome of an attempt; null if it succeeded. */
const attempt = (
  attempts: FailedAttempts,
  credential: string | null,
  isValid = false,
  address = "192.0.2.1"
): Effect.Effect<string | null> =>
  Effect.map(
    Effect.either(attempts.limit(address, credential, isValid ? Effect.void : fails)),
    Either.match({ onLeft: ({ code }) => code, onRight: () => null })
  )

const failing = (attempts: FailedAttempts, count: number, address?: string) =>
  Effect.forEach(Array.from({ length: count }), (_, n) => attempt(attempts, `wrong-${n}`, false, address))

it.effect("refuses credentials of an address that failed too often, right ones included", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    expect(yield* failing(attempts, 5)).toEqual([
      "unauthenticated",
      "unauthenticated",
      "unauthenticated",
      "rate_limited",
      "rate_limited"
    ])
    expect(yield* attempt(attempts, "right", true)).toBe("rate_limited")
    expect(yield* attempt(attempts, "right", true, "192.0.2.2")).toBeNull()
  })
)

it.effect("does not check a credential that it refuses", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    yield* failing(attempts, 3)
    const exit = yield* Effect.flip(attempts.limit("192.0.2.1", "another", Effect.die("checked")))
    expect(exit.code).toBe("rate_limited")
    expect(exit.message).toContain("Try again in 3 s.")
  })
)

it.effect("allows further attempts as time passes, up to the burst", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    yield* failing(attempts, 4)
    yield* TestClock.adjust("3 seconds")
    expect(yield* failing(attempts, 2)).toEqual(["unauthenticated", "rate_limited"])
    yield* TestClock.adjust("1 hour")
    expect((yield* failing(attempts, 4)).filter((code) => code === "rate_limited")).toHaveLength(1)
  })
)

it.effect("always checks a credential that recently succeeded from the same address", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    yield* attempt(attempts, "right", true)
    yield* failing(attempts, 9)
    expect(yield* attempt(attempts, "right", true)).toBeNull()
    yield* failing(attempts, 9, "192.0.2.2")
    expect(yield* attempt(attempts, "right", true, "192.0.2.2")).toBe("rate_limited")
  })
)

it.effect("forgets a credential that was revoked", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    yield* attempt(attempts, "right", true)
    yield* failing(attempts, 9)
    expect(yield* attempt(attempts, "right")).toBe("unauthenticated")
    expect(yield* attempt(attempts, "right")).toBe("rate_limited")
  })
)

it.effect("forgets a credential a day after its last use", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    yield* attempt(attempts, "right", true)
    yield* TestClock.adjust("25 hours")
    yield* failing(attempts, 3)
    expect(yield* attempt(attempts, "right", true)).toBe("rate_limited")
  })
)

it.effect("counts neither requests without a credential nor other refusals", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    for (let n = 0; n < 9; n++) {
      expect(yield* attempt(attempts, null)).toBe("unauthenticated")
      const suspended = attempts.limit("192.0.2.1", "suspended", Effect.fail(refuse("account_suspended")))
      expect((yield* Effect.flip(suspended)).code).toBe("account_suspended")
    }
    expect(yield* attempt(attempts, "right", true)).toBeNull()
  })
)

it.effect("counts attempts in parallel, and then waits for all of them", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    const gate = yield* Deferred.make<void>()
    const checks = yield* Effect.forEach(Array.from({ length: 10 }), (_, n) =>
      Effect.fork(Effect.flip(attempts.limit("192.0.2.1", `wrong-${n}`, Effect.zipRight(Deferred.await(gate), fails))))
    )
    yield* Effect.repeatN(Effect.yieldNow(), 20)
    yield* Deferred.succeed(gate, undefined)
    yield* Effect.forEach(checks, Fiber.join)
    // 3 - 10 tokens: 8 are missing.
    yield* TestClock.adjust("23 seconds")
    expect(yield* attempt(attempts, "right", true)).toBe("rate_limited")
    yield* TestClock.adjust("1 second")
    expect(yield* attempt(attempts, "right", true)).toBeNull()
  })
)

for (const [one, other, isSame] of [
  ["2001:db8:1:2::1", "2001:db8:1:2:ffff:ffff:ffff:ffff", true],
  ["2001:db8:1:2::1", "2001:db8:1:3::1", false],
  ["2001:db8::1", "2001:db8::2", true],
  ["::1", "::2", true],
  ["::1", "1::1", false],
  ["192.0.2.1", "192.0.2.2", false]
] as const) {
  it.effect(`counts ${one} and ${other} ${isSame ? "together" : "apart"}`, () =>
    Effect.gen(function* () {
      const attempts = makeFailedAttempts(limits)
      yield* failing(attempts, 3, one)
      expect(yield* attempt(attempts, "right", true, other)).toBe(isSame ? "rate_limited" : null)
    })
  )
}

it.effect("tells which credentials it would not check, without taking a token", () =>
  Effect.gen(function* () {
    const attempts = makeFailedAttempts(limits)
    const refusalOf = (credential: string, address = "192.0.2.1") =>
      attempts.knownRefusal(address, credential, 0)?.refusal.code ?? null
    expect(yield* attempt(attempts, "right", true)).toBeNull()
    yield* failing(attempts, 2)
    expect([refusalOf("other"), refusalOf("other")]).toEqual([null, null])
    yield* failing(attempts, 1)
    expect([refusalOf("other"), refusalOf("right"), refusalOf("other", "192.0.2.2")]).toEqual([
      "rate_limited",
      null,
      null
    ])
    expect(attempts.knownRefusal("192.0.2.1", "other", 3_000)).toBeNull()
  })
)
