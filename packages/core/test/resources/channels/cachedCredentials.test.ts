import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { SecretUnreadable } from "../../../src/ports/SecretBox.js"
import { cachedCredentials } from "../../../src/resources/channels/cachedCredentials.js"

/** Credentials encrypted as JSON after a dot; counts how often they are decrypted. */
const box = () => {
  let times = 0
  const open = cachedCredentials({
    open: (sealed) => {
      times += 1
      return sealed.startsWith(".")
        ? Effect.succeed(sealed.slice(1))
        : new SecretUnreadable({ reason: "is not a sealed secret" })
    }
  })
  return { credentials: (sealed: string | null) => open({ credentials: sealed }), times: () => times }
}

describe("cached credentials", () => {
  it.effect("are decrypted once, and changed ones again", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      const first = yield* credentials('.{"secret":1}')
      expect(first).toEqual({ secret: 1 })
      expect(yield* credentials('.{"secret":1}')).toBe(first)
      expect(yield* credentials('.{"secret":2}')).toEqual({ secret: 2 })
      expect(times()).toBe(2)
    })
  )
  it.effect("are null without a decryption if the connection has none", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      expect(yield* credentials(null)).toBeNull()
      expect(times()).toBe(0)
    })
  )
  it.effect("are decrypted again after a failure", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      for (const _ of [1, 2]) {
        expect(yield* Effect.flip(credentials("other"))).toMatchObject({ _tag: "SecretUnreadable" })
      }
      expect(times()).toBe(2)
    })
  )
  it.effect("are the last thousand that were used", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      for (let n = 0; n < 1_000; n++) yield* credentials(`.[${n}]`)
      yield* credentials(".[0]")
      yield* credentials(".[1000]")
      expect(times()).toBe(1_001)
      yield* credentials(".[0]")
      expect(times()).toBe(1_001)
      yield* credentials(".[1]")
      expect(times()).toBe(1_002)
    })
  )
})
