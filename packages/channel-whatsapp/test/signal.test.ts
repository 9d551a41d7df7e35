import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { opened } from "./opened.js"

describe("signal", () => {
  const shown = { to: "+491511234567", lastMessageId: "wamid.1" }

  it.scopedLive("marks the customer's messages as read, and shows that the business types", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      yield* provider.signal(account.connection, account.credentials, { ...shown, kind: "read" })
      yield* provider.signal(account.connection, account.credentials, { ...shown, kind: "typing" })
      const read = { messaging_product: "whatsapp", status: "read", message_id: "wamid.1" }
      expect(vendor.reads).toEqual([read, { ...read, typing_indicator: { type: "text" } }])
    })
  )

  it.scopedLive("fails if Meta refuses it, or the settings are not complete", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      vendor.refuseNext({ code: 131009, message: "Parameter value is not valid" })
      for (const credentials of [account.credentials, null]) {
        const failed = provider.signal(account.connection, credentials, { ...shown, kind: "read" })
        expect((yield* Effect.flip(failed))._tag).toBe("ProviderUnavailable")
      }
      expect(vendor.reads).toEqual([])
    })
  )
})
