import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { opened } from "./opened.js"

describe("signal", () => {
  const shown = { to: "24", lastMessageId: "m_1" }

  for (const channel of ["facebook", "instagram"] as const) {
    it.scopedLive(`shows on ${channel} that the business types and has read the messages`, () =>
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened(channel)
        yield* provider.signal(account.connection, account.credentials, { ...shown, kind: "typing" })
        yield* provider.signal(account.connection, account.credentials, { ...shown, kind: "read" })
        const recipient = { id: "24" }
        expect(vendor.actions).toEqual([
          { recipient, sender_action: "typing_on" },
          { recipient, sender_action: "mark_seen" }
        ])
      })
    )
  }

  it.scopedLive("fails if Meta refuses it, or the settings are not complete", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.refuseNext({ code: 551, message: "This person isn't available right now." })
      for (const credentials of [account.credentials, null]) {
        const failed = provider.signal(account.connection, credentials, { ...shown, kind: "typing" })
        expect((yield* Effect.flip(failed))._tag).toBe("ProviderUnavailable")
      }
      expect(vendor.actions).toEqual([])
    })
  )
})
