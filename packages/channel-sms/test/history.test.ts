import { describe, expect, it } from "@effect/vitest"
import type { HistoryAnswer } from "@parley/core"
import { type TwilioReceived, twilioCustomers } from "@parley/testkit"
import { Effect } from "effect"
import { now, opened, twilioAccount } from "./opened.js"
import { sidOf } from "./vendorRequest.js"

const second = 1_000
const [ada, grace] = twilioCustomers
const own = twilioAccount.number

const listed = (number: number, more: Partial<TwilioReceived> = {}): TwilioReceived => ({
  ...{ sid: sidOf("SM", `${number}`), from: ada, to: own, body: `${number}`, at: now + number * second },
  ...more
})

const reading = (handle?: string) =>
  Effect.map(opened({}, handle), ({ account, provider, vendor }) => ({
    vendor,
    read: (cursor: string | null) => provider.history(account.connection, account.credentials, cursor),
    /** All pages, from the first one on. */
    readAll: Effect.gen(function* () {
      const pages: Array<HistoryAnswer & { readonly _tag: "Page" }> = []
      let cursor: string | null = null
      do {
        const page: HistoryAnswer = yield* provider.history(account.connection, account.credentials, cursor)
        if (page._tag !== "Page") throw new Error(`not a page: ${page._tag}`)
        pages.push(page)
        ;({ cursor } = page)
      } while (cursor !== null)
      return pages
    })
  }))

describe("history", () => {
  it.scopedLive("has the received messages by customer, oldest first, then those that were sent", () =>
    Effect.gen(function* () {
      const { readAll, vendor } = yield* reading()
      vendor.received.push(
        listed(1),
        listed(2, { from: grace }),
        listed(3, { from: own, to: ada, body: "We are open", status: "delivered" }),
        listed(4, { body: "Thanks" })
      )
      const past = (number: number, body: string) => ({
        ...{ providerMessageId: sidOf("SM", `${number}`), at: now + number * second, body, attachments: [] }
      })
      const received = (number: number, body = `${number}`) => ({ ...past(number, body), direction: "inbound" })
      const conversation = (handle: string, ...messages: ReadonlyArray<object>) => ({
        ...{ _tag: "History", handle, displayName: null, messages }
      })
      expect((yield* readAll).map(({ conversations }) => conversations)).toEqual([
        [conversation(ada, received(1), received(4, "Thanks")), conversation(grace, received(2))],
        [conversation(ada, { ...past(3, "We are open"), direction: "outbound", status: "delivered" })]
      ])
    })
  )

  it.scopedLive("is read in pages", () =>
    Effect.gen(function* () {
      const { readAll, vendor } = yield* reading()
      vendor.received.push(...Array.from({ length: 120 }, (_, n) => listed(n)))
      const pages = yield* readAll
      expect(pages.map(({ conversations }) => conversations.flatMap(({ messages }) => messages).length)).toEqual([
        ...[50, 50, 20, 0]
      ])
      const ids = pages.flatMap(({ conversations }) =>
        conversations.flatMap(({ messages }) => messages.map(({ providerMessageId }) => providerMessageId))
      )
      expect(new Set(ids).size).toBe(120)
    })
  )

  it.scopedLive("has files with their URLs, and failed messages, and no message that waits at Twilio", () =>
    Effect.gen(function* () {
      const { readAll, vendor } = yield* reading()
      const files = [{ sid: "ME1", content_type: "image/jpeg" }]
      const [mms, failed, waits] = [sidOf("MM", "1"), sidOf("SM", "2"), sidOf("SM", "3")]
      const sent = { from: own, to: ada }
      vendor.received.push(
        listed(1, { sid: mms, files }),
        listed(2, { ...sent, sid: failed, status: "undelivered" }),
        listed(3, { ...sent, sid: waits, status: "queued" })
      )
      const messages = (yield* readAll).flatMap(({ conversations }) => conversations.flatMap((one) => one.messages))
      const reference = `${vendor.url}/2010-04-01/Accounts/${twilioAccount.accountSid}/Messages/${mms}/Media/ME1`
      expect(messages).toMatchObject([
        { attachments: [{ type: "image", contentType: "image/jpeg", content: { reference } }] },
        { providerMessageId: failed, status: "failed" }
      ])
    })
  )

  it.scopedLive("has the sent messages only of a sender that customers cannot answer", () =>
    Effect.gen(function* () {
      const { read } = yield* reading("Acme Shop")
      expect(yield* read(null)).toMatchObject({ _tag: "Page", conversations: [], cursor: null })
    })
  )

  it.scopedLive("reads no other sender's messages, whatever the cursor says", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* reading()
      vendor.received.push(listed(1))
      const page = yield* read("received?To=%2B15550109999&PageSize=1000")
      expect(page).toMatchObject({ conversations: [{ messages: [{ body: "1" }] }], cursor: "sent?" })
    })
  )

  it.scopedLive("says what to correct if Twilio refuses the credentials, and fails if it cannot be reached", () =>
    Effect.gen(function* () {
      const { read, vendor } = yield* reading()
      vendor.refuseNext({ code: 20003, status: 401 })
      expect(yield* read(null)).toMatchObject({ _tag: "Refused", problem: expect.stringContaining("auth_token") })
      yield* Effect.promise(vendor.stop)
      expect(yield* Effect.flip(read(null))).toMatchObject({ _tag: "ProviderUnavailable" })
    })
  )
})
