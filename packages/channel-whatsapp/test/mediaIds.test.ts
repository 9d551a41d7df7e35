import { describe, expect, it } from "@effect/vitest"
import type { OutboundMessage } from "@parley/core"
import { aWhatsAppBusiness, fakeWhatsApp } from "@parley/testkit"
import { Clock, Effect, Stream } from "effect"
import { whatsapp } from "../src/index.js"
import { mediaIdLifetime } from "../src/sendMessage.js"
import { accountOf } from "./account.js"
import { aMessage, now, opened } from "./opened.js"

const bytes = new TextEncoder().encode("%PDF-1.4")
const file = { type: "document", contentType: "application/pdf", size: bytes.length, url: null } as const

/** A message with the file of this blob. */
const withFile = (contentKey: string, more: Partial<OutboundMessage> = {}, fileName = "prices.pdf") =>
  aMessage({ body: "", files: [{ ...file, fileName, contentKey, bytes: Stream.make(bytes) }], ...more })

/** A clock that is ahead of the real one, since the fake answers over a real socket. */
const later = <A>(ms: number, effect: Effect.Effect<A>): Effect.Effect<A> =>
  Effect.flatMap(Effect.clock, (clock) =>
    Effect.withClock(effect, {
      ...clock,
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: () => clock.unsafeCurrentTimeMillis() + ms,
      unsafeCurrentTimeNanos: () => clock.unsafeCurrentTimeNanos(),
      currentTimeMillis: Effect.map(clock.currentTimeMillis, (time) => time + ms),
      currentTimeNanos: clock.currentTimeNanos,
      sleep: (duration) => clock.sleep(duration)
    } as Clock.Clock)
  )

const sentIds = (vendor: { readonly taken: ReadonlyArray<{ readonly message: unknown }> }) =>
  vendor.taken.map(({ message }) => (message as any).document.id as string)

describe("the media ids of sent files", () => {
  it.scopedLive("are those of one upload for many sends, also at once", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const send = provider.send(account.connection, account.credentials, withFile("a"), now)
      const outcomes = yield* Effect.all(
        Array.from({ length: 20 }, () => send),
        { concurrency: "unbounded" }
      )
      outcomes.push(yield* send)
      expect(new Set(outcomes.map(({ _tag }) => _tag))).toEqual(new Set(["Accepted"]))
      expect(vendor.uploads.size).toBe(1)
      expect(sentIds(vendor)).toEqual(Array.from({ length: 21 }, () => [...vendor.uploads.keys()][0]))
    })
  )

  it.scopedLive("differ by bytes, name and type, and are not kept for bytes without a name", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const { contentKey: _, ...nameless } = withFile("a").files?.[0] ?? {
        ...file,
        contentKey: "",
        fileName: null,
        bytes: Stream.empty
      }
      for (const message of [
        withFile("a"),
        withFile("b"),
        withFile("a", {}, "others.pdf"),
        aMessage({ body: "", files: [nameless] }),
        aMessage({ body: "", files: [nameless] })
      ]) {
        yield* provider.send(account.connection, account.credentials, message, now)
      }
      expect(new Set(sentIds(vendor)).size).toBe(5)
    })
  )

  it.scopedLive("are not shared between connections and numbers", () =>
    Effect.gen(function* () {
      const businesses = [aWhatsAppBusiness(1), aWhatsAppBusiness(2)]
      const vendor = yield* fakeWhatsApp(...businesses)
      const provider = whatsapp({ graphUrl: vendor.url })
      const accounts = businesses.map(accountOf)
      const [first] = accounts
      const another = { ...first?.connection, id: "01900000-0000-7000-8000-0000000000ff" } as never
      for (const { connection, credentials } of [
        ...accounts,
        { connection: another, credentials: first?.credentials }
      ]) {
        expect(yield* provider.send(connection, credentials, withFile("a"), now)).toMatchObject({ _tag: "Accepted" })
      }
      expect([...vendor.uploads.values()].map(({ phoneNumberId }) => phoneNumberId)).toEqual([
        ...businesses.map(({ phoneNumberId }) => phoneNumberId),
        businesses[0]?.phoneNumberId
      ])
      expect(new Set(sentIds(vendor)).size).toBe(3)
    })
  )

  it.scopedLive("are used for a day", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const send = provider.send(account.connection, account.credentials, withFile("a"), now)
      yield* send
      yield* later(mediaIdLifetime - 60_000, send)
      expect(vendor.uploads.size).toBe(1)
      yield* later(mediaIdLifetime, send)
      expect(vendor.uploads.size).toBe(2)
    })
  )

  it.scopedLive("are replaced by those of one more upload if Meta does not know them any more", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const send = provider.send(account.connection, account.credentials, withFile("a"), now)
      yield* send
      vendor.uploads.clear()
      const outcomes = yield* Effect.all([send, send, send], { concurrency: "unbounded" })
      expect(outcomes.map(({ _tag }) => _tag)).toEqual(["Accepted", "Accepted", "Accepted"])
      expect([vendor.uploads.size, vendor.taken.length]).toEqual([1, 4])
      expect(new Set(sentIds(vendor)).size).toBe(2)
    })
  )

  it.scopedLive("are replaced in the header of a template", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const components = [
        { type: "HEADER", format: "DOCUMENT" },
        { type: "BODY", text: "Your prices" }
      ]
      vendor.templates.push({ name: "prices", language: "en", status: "APPROVED", category: "UTILITY", components })
      const message = withFile("a", { template: { name: "prices", language: "en", variables: [] } })
      const send = provider.send(account.connection, account.credentials, message, now)
      expect(yield* send).toMatchObject({ _tag: "Accepted" })
      vendor.uploads.clear()
      expect(yield* send).toMatchObject({ _tag: "Accepted" })
      expect(vendor.uploads.size).toBe(1)
    })
  )

  it.scopedLive("are refused for good if they were uploaded by the same send", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const send = provider.send(account.connection, account.credentials, withFile("a"), now)
      yield* send
      // Every upload is gone before the message comes.
      vendor.uploads.set = () => vendor.uploads
      vendor.uploads.clear()
      expect(yield* send).toMatchObject({ _tag: "Rejected", scope: "message", providerCode: "100" })
      expect(vendor.taken).toHaveLength(1)
    })
  )
})
