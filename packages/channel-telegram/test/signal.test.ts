import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { opened } from "./opened.js"

describe("signal", () => {
  const typing = { kind: "typing", to: "123456789", lastMessageId: "123456789:3" } as const

  it.scopedLive("shows that the bot types; bots have no read marks", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      yield* provider.signal(account.connection, account.credentials, typing)
      expect(vendor.typing).toEqual(["123456789"])
      const { readMarks, typing: types } = provider.capabilities(account.connection)
      expect({ readMarks, types }).toEqual({ readMarks: undefined, types: true })
    })
  )

  it.scopedLive("fails if Telegram refuses it, or the settings are not complete", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.refuseNext({ code: 403, description: "Forbidden: bot was blocked by the user" })
      for (const credentials of [account.credentials, null]) {
        const failed = provider.signal(account.connection, credentials, typing)
        expect((yield* Effect.flip(failed))._tag).toBe("ProviderUnavailable")
      }
      expect(vendor.typing).toEqual([])
    })
  )
})
