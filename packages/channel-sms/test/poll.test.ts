import { expect, it } from "@effect/vitest"
import type { InboundEvent, Polled } from "@parley/core"
import { type TwilioReceived, twilioCustomers, withoutRaw } from "@parley/testkit"
import { Effect } from "effect"
import { describe } from "vitest"
import { now, opened, twilioAccount } from "./opened.js"
import { sidOf } from "./vendorRequest.js"

const minute = 60_000

const received = (number: number, at: number, more: Partial<TwilioReceived> = {}): TwilioReceived => ({
  sid: sidOf("SM", `${number}`),
  from: twilioCustomers[0],
  to: twilioAccount.number,
  body: `${number}`,
  at,
  ...more
})

const bodies = (events: ReadonlyArray<InboundEvent>) =>
  events.flatMap((event) => (event._tag === "Message" ? [event.body] : []))

describe("polling Twilio for missed messages", () => {
  it.scopedLive("reports no message from before the first poll, and each later one once", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling()
      vendor.received.push(received(1, now - minute))
      const first = yield* poll(null, now)
      expect(first).toMatchObject({ events: [], againInMs: 2 * minute })
      vendor.received.push(received(2, now + minute), received(3, now + minute, { to: "+15550109999" }))
      const second = yield* poll(first.cursor, now + 2 * minute)
      expect(bodies(second.events)).toEqual(["2"])
      expect((yield* poll(second.cursor, now + 4 * minute)).events).toEqual([])
    })
  )
  it.scopedLive("reports a message that Twilio lists some minutes later", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling()
      const first = yield* poll(null, now)
      const second = yield* poll(first.cursor, now + 2 * minute)
      vendor.received.push(received(1, now + minute))
      expect(bodies((yield* poll(second.cursor, now + 4 * minute)).events)).toEqual(["1"])
    })
  )
  it.scopedLive("reports all messages of an outage, oldest first, over several polls and pages", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling()
      let { cursor } = yield* poll(null, now)
      const outage = 150 * minute
      const numbers = Array.from({ length: 500 }, (_, n) => n)
      vendor.received.push(...numbers.map((n) => received(n, now + (n * outage) / 500)))
      const found: Array<string> = []
      let polled: Polled
      do {
        polled = yield* poll(cursor, now + outage)
        ;({ cursor } = polled)
        found.push(...bodies(polled.events))
      } while (polled.againInMs === 0)
      expect(found).toEqual(numbers.map(String))
    })
  )
  it.scopedLive("reads a message as its webhook gives it, with its time and files", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling()
      const { cursor } = yield* poll(null, now)
      const sid = sidOf("MM", "1")
      vendor.received.push(received(1, now, { sid, files: [{ sid: "ME1", content_type: "image/jpeg" }] }))
      const [event] = withoutRaw((yield* poll(cursor, now)).events)
      const reference = `${vendor.url}/2010-04-01/Accounts/${twilioAccount.accountSid}/Messages/${sid}/Media/ME1`
      expect(event).toMatchObject({
        providerMessageId: sid,
        at: now,
        billing: { segments: 1 },
        attachments: [{ type: "image", contentType: "image/jpeg", content: { reference } }]
      })
    })
  )
  it.scopedLive("asks nothing about a sender that customers cannot answer", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling("Acme Shop")
      yield* Effect.promise(vendor.stop)
      expect((yield* poll(null, now)).events).toEqual([])
    })
  )
  it.scopedLive("fails if Twilio cannot be reached, so that the cursor stays", () =>
    Effect.gen(function* () {
      const { poll, vendor } = yield* polling()
      yield* Effect.promise(vendor.stop)
      expect(yield* Effect.flip(poll(null, now))).toMatchObject({ _tag: "ProviderUnavailable" })
    })
  )
})

const polling = (handle?: string) =>
  Effect.map(opened({}, handle), ({ account, provider, vendor }) => ({
    vendor,
    poll: (cursor: unknown, at: number) => provider.poll(account.connection, account.credentials, cursor, at)
  }))
