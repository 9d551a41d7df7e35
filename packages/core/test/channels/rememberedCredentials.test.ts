import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { rememberedCredentials } from "../../src/channels/rememberedCredentials.js"
import { SecretUnreadable } from "../../src/ports/SecretBox.js"

/** Credentials sealed as JSON after a dot; and how often any were opened. */
const box = () => {
  let times = 0
  const open = rememberedCredentials({
    open: (sealed) => {
      times += 1
      return sealed.startsWith(".")
        ? Effect.succeed(sealed.slice(1))
        : new SecretUnreadable({ reason: "is not a sealed secret" })
    }
  })
  return { credentials: (sealed: string | null) => open({ credentials: sealed }), times: () => times }
}

describe("remembered credentials", () => {
  it.effect("are opened once, and other ones anew", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      const first = yield* credentials('.{"secret":1}')
      expect(first).toEqual({ secret: 1 })
      expect(yield* credentials('.{"secret":1}')).toBe(first)
      expect(yield* credentials('.{"secret":2}')).toEqual({ secret: 2 })
      expect(times()).toBe(2)
    })
  )
  it.effect("are none where none are needed", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      expect(yield* credentials(null)).toBeNull()
      expect(times()).toBe(0)
    })
  )
  it.effect("are tried again where they could not be opened", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      for (const _ of [1, 2]) {
        expect(yield* Effect.flip(credentials("other"))).toMatchObject({ _tag: "SecretUnreadable" })
      }
      expect(times()).toBe(2)
    })
  )
  it.effect("are those that were asked for last, and no more than a thousand", () =>
    Effect.gen(function* () {
      const { credentials, times } = box()
      for (let n = 0; n < 1_000; n++) yield* credentials(`.${n}`)
      yield* credentials(".0")
      yield* credentials(".1000")
      expect(times()).toBe(1_001)
      yield* credentials(".0")
      expect(times()).toBe(1_001)
      yield* credentials(".1")
      expect(times()).toBe(1_002)
    })
  )
})
