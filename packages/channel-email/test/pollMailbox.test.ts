import { describe, expect, it } from "@effect/vitest"
import type { InboundEvent, Polled } from "@parley/core"
import { aConnection } from "@parley/testkit/rows"
import { Effect, Fiber, TestClock, TestServices } from "effect"
import { email } from "../src/index.js"
import { accountAt, bakery, mailServers } from "./accounts.js"
import { imapVendor } from "./ImapVendor.js"
import { aMail, multipart, part } from "./mails.js"

const createdAt = aConnection().createdAt
const later = createdAt + 3_600_000

const mail = (number: number): Buffer =>
  aMail({ "Message-ID": `<mail-${number}@customer.example>` }, `Message ${number}`)

const world = (config: { readonly [key: string]: unknown } = {}) =>
  Effect.map(mailServers(bakery), (servers) => {
    const { connection, credentials } = accountAt(bakery, servers, config)
    const provider = email()
    return {
      ...servers,
      poll: (cursor: unknown, given: unknown = credentials) =>
        provider.poll?.(connection, given, cursor, later) ?? Effect.die("no poll")
    }
  })

const bodies = ({ events }: { readonly events: ReadonlyArray<InboundEvent> }) =>
  events.map((event) => (event._tag === "Message" ? event.body : event._tag))

/** All events after a cursor, over several polls. */
const all = (
  poll: (cursor: unknown) => Effect.Effect<Polled, unknown>,
  cursor: unknown
): Effect.Effect<
  { readonly bodies: ReadonlyArray<string>; readonly cursor: unknown; readonly polls: number },
  unknown
> =>
  Effect.gen(function* () {
    const polled = yield* poll(cursor)
    if (polled.againInMs > 0) return { bodies: bodies(polled), cursor: polled.cursor, polls: 1 }
    const rest = yield* all(poll, polled.cursor)
    return { ...rest, bodies: [...bodies(polled), ...rest.bodies], polls: rest.polls + 1 }
  })

/** The first events of a mailbox, over several polls. */
const upTo = (
  poll: (cursor: unknown) => Effect.Effect<Polled, unknown>,
  count: number,
  cursor: unknown = null,
  found: ReadonlyArray<string> = []
): Effect.Effect<ReadonlyArray<string>, unknown> =>
  Effect.gen(function* () {
    const polled = yield* poll(cursor)
    const more = [...found, ...bodies(polled)]
    return more.length >= count ? more : yield* upTo(poll, count, polled.cursor, more)
  })

describe("a mailbox", () => {
  it.scopedLive("is polled at the configured interval", () =>
    Effect.gen(function* () {
      const { poll } = yield* world()
      expect((yield* poll(null)).againInMs).toBe(60_000)
    })
  )

  it.scopedLive("reports mails since the creation of the connection, and no older ones", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(mail(1), createdAt - 3 * 86_400_000)
      imap.deliver(mail(2), createdAt - 3_600_000)
      imap.deliver(mail(3), later)
      imap.deliver(mail(4), later)
      const { cursor, ...first } = yield* poll(null)
      expect(bodies(first)).toEqual(["Message 3", "Message 4"])
      imap.deliver(mail(5), later)
      expect(bodies(yield* poll(cursor))).toEqual(["Message 5"])
    })
  )

  it.scopedLive("reports the time at which the server received a mail, also of one that unsubscribes", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const at = createdAt + 60_000
      imap.deliver(aMail({ Subject: `unsubscribe ${"0".repeat(42)}`, Date: "Mon, 04 May 2020 08:30:00 +0000" }), at)
      expect((yield* poll(null)).events).toMatchObject([
        { _tag: "Message", at },
        { _tag: "Unsubscribe", at }
      ])
    })
  )

  it.scopedLive("loses no mail that arrives while the first poll searches an empty mailbox", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliverDuringSearch(mail(1), later)
      const first = yield* poll(null)
      expect([...bodies(first), ...bodies(yield* poll(first.cursor))]).toEqual(["Message 1"])
    })
  )

  it.scopedLive("reports new mails at once, behind many of the day before", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      for (let number = 1; number <= 520; number++) imap.deliver(mail(number), createdAt - 3_600_000)
      for (const number of [521, 522]) imap.deliver(mail(number), later)
      const { cursor, events } = yield* poll(null)
      expect(bodies({ events })).toEqual(["Message 521", "Message 522"])
      expect((yield* poll(cursor)).events).toEqual([])
    })
  )

  it.scopedLive("is read in batches, in order, without a gap", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const numbers = Array.from({ length: 60 }, (_, at) => at + 1)
      for (const number of numbers) imap.deliver(mail(number), later)
      const read = yield* all(poll, null)
      expect(read.bodies).toEqual(numbers.map((number) => `Message ${number}`))
      expect(read.polls).toBe(3)
    })
  )

  it.scopedLive("is read without a gap while another client changes flags", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
      for (const number of numbers) imap.deliver(mail(number), later)
      imap.changeFlags(28)
      const read = yield* all(poll, null)
      expect(read.bodies).toEqual(numbers.map((number) => `Message ${number}`))
    })
  )

  it.scopedLive("is not polled again at once by a server that lists none of the mails that it found", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(mail(1), later)
      imap.listNothing()
      expect(yield* Effect.flip(poll(null) as Effect.Effect<Polled, unknown>)).toMatchObject({
        _tag: "ProviderUnavailable"
      })
    })
  )

  it.scopedLive("loses nothing when the server renumbers its mails", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      for (const number of [1, 2, 3]) imap.deliver(mail(number), later)
      const { cursor } = yield* poll(null)
      imap.deliver(mail(4), later)
      imap.renumber()
      const read = yield* all(poll, cursor)
      expect([...read.bodies].sort()).toEqual([1, 2, 3, 4].map((number) => `Message ${number}`))
      imap.deliver(mail(5), later)
      expect(bodies(yield* poll(read.cursor))).toEqual(["Message 5"])
    })
  )

  it.scopedLive("loses nothing when the server renumbers its mails, one of which it received in the future", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(mail(1), later + 30 * 86_400_000)
      const { cursor } = yield* poll(null)
      imap.deliver(mail(2), later)
      imap.renumber()
      expect((yield* all(poll, cursor)).bodies).toContain("Message 2")
    })
  )

  it.scopedLive("continues after deleted mails", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      for (const number of [1, 2, 3]) imap.deliver(mail(number), later)
      const { cursor } = yield* poll(null)
      imap.remove(3)
      expect(bodies(yield* poll(cursor))).toEqual([])
      imap.deliver(mail(4), later)
      expect(bodies(yield* poll(cursor))).toEqual(["Message 4"])
    })
  )

  it.scopedLive("continues after an unreadable mail", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(Buffer.from("no mail at all"), later)
      imap.deliver(mail(2), later)
      expect(bodies(yield* poll(null))).toEqual(["Unknown", "Message 2"])
    })
  )

  for (const how of ["no", "bye"] as const) {
    it.scopedLive(`loses no mail while the server does not search (${how})`, () =>
      Effect.gen(function* () {
        const { imap, poll } = yield* world()
        const fails = (cursor: unknown) =>
          Effect.map(Effect.flip(poll(cursor) as Effect.Effect<Polled, unknown>), (error) =>
            expect(error).toMatchObject({ _tag: "ProviderUnavailable" })
          )
        imap.deliver(mail(1), later)
        imap.refuseSearches(how)
        yield* fails(null)
        imap.refuseSearches(null)
        const { cursor, ...first } = yield* poll(null)
        expect(bodies(first)).toEqual(["Message 1"])
        imap.deliver(mail(2), later)
        imap.refuseSearches(how)
        yield* fails(cursor)
        imap.renumber()
        yield* fails(cursor)
      })
    )
  }

  for (const how of ["no", "ok", "bye"] as const) {
    it.scopedLive(`continues after mails that the server does not send (${how}), with an unknown event of each`, () =>
      Effect.gen(function* () {
        const { imap, poll } = yield* world()
        for (const number of [1, 2, 3, 4, 5]) imap.deliver(mail(number), later)
        imap.damage(2, how)
        imap.damage(3, how)
        const first = yield* poll(null)
        expect([bodies(first), first.againInMs]).toEqual([["Message 1"], 5_000])
        let cursor = first.cursor
        const seen: Array<string> = []
        for (let polls = 0; polls < 4; polls++) {
          const polled = yield* poll(cursor)
          seen.push(...bodies(polled))
          cursor = polled.cursor
        }
        expect(seen).toEqual(["Unknown", "Unknown", "Message 4", "Message 5"])
      })
    )
  }

  for (const times of [2, 3]) {
    it.scopedLive(`loses no mail whose connection ended ${times} times by chance`, () =>
      Effect.gen(function* () {
        const { imap, poll } = yield* world()
        for (const number of [1, 2, 3]) imap.deliver(mail(number), later)
        imap.damage(2, "bye", times)
        expect(yield* upTo(poll, 3)).toEqual(["Message 1", "Message 2", "Message 3"])
      })
    )
  }

  for (const how of ["no", "bye"] as const) {
    it.scopedLive(`continues after unreadable mails at both ends of a batch (${how})`, () =>
      Effect.gen(function* () {
        const { imap, poll } = yield* world()
        const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
        for (const number of numbers) imap.deliver(mail(number), later)
        for (const number of [1, 25, 26]) imap.damage(number, how)
        const expected = numbers.map((number) => ([1, 25, 26].includes(number) ? "Unknown" : `Message ${number}`))
        expect(yield* upTo(poll, expected.length)).toEqual(expected)
      })
    )
  }

  it.scopedLive("continues after several unreadable mails of which two exceed the size of a batch", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const large = (number: number) =>
        aMail({ "Message-ID": `<mail-${number}@customer.example>` }, "x".repeat(17_000_000))
      for (const number of [1, 2]) imap.deliver(large(number), later)
      imap.deliver(mail(3), later)
      for (const number of [1, 2]) imap.damage(number, "no")
      expect(yield* upTo(poll, 3)).toEqual(["Unknown", "Unknown", "Message 3"])
    })
  )

  it.scopedLive("loses no mail while the server sends none", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      for (const number of [1, 2]) imap.deliver(mail(number), later)
      imap.damage(1, "no")
      imap.damage(2, "no")
      const { cursor, events } = yield* poll(null)
      expect(events).toEqual([])
      for (let polls = 0; polls < 3; polls++) {
        expect(yield* Effect.flip(poll(cursor) as Effect.Effect<Polled, unknown>)).toMatchObject({
          _tag: "ProviderUnavailable"
        })
      }
      imap.remove(2)
      expect(yield* Effect.flip(poll(cursor) as Effect.Effect<Polled, unknown>)).toMatchObject({
        _tag: "ProviderUnavailable"
      })
    })
  )

  it.scoped("reports what came before a mail that the server does not send in time", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      for (const number of [1, 2, 3]) imap.deliver(mail(number), later)
      imap.damage(2, "silence")
      const polling = yield* Effect.fork(poll(null))
      while (!imap.commands.some((line) => /UID FETCH 2 /.test(line))) {
        yield* TestServices.provideLive(Effect.sleep(1))
      }
      yield* TestClock.adjust("125 seconds")
      while (polling.unsafePoll() === null) {
        yield* TestServices.provideLive(Effect.sleep(1))
        yield* TestClock.adjust("5 seconds")
      }
      expect(bodies(yield* Fiber.join(polling))).toEqual(["Message 1"])
    })
  )

  it.scopedLive("takes the text of a mail that is too long, and stores its beginning", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const film = part("video/mp4", "a".repeat(33 * 1024 * 1024), "Content-Disposition: attachment; filename=film.mp4")
      imap.deliver(aMail(...multipart("mixed", [part("text/plain", "Is it ready?"), film])), later)
      const { events } = yield* poll(null)
      expect(events).toEqual([
        expect.objectContaining({
          ...{ _tag: "Message", body: "Is it ready?" },
          attachments: [expect.objectContaining({ contentType: "message/rfc822", fileName: "beginning.eml" })]
        }),
        { _tag: "Unknown", kind: "too long", raw: expect.stringMatching(/^From: Ada/) }
      ])
      // It is the same message when it is read again.
      const again = yield* poll(null)
      expect(again.events).toEqual(events)
    })
  )

  it.scopedLive("is not changed: no mail is marked as read", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(mail(1), later)
      yield* poll(null)
      expect(imap.flags()).toEqual([[]])
      expect(imap.commands.join("")).not.toMatch(/\b(STORE|SELECT|EXPUNGE|BODY\[)/)
    })
  )

  it.scopedLive("may be a folder other than INBOX", () =>
    Effect.gen(function* () {
      const { imap, poll, smtp } = yield* world()
      const { connection, credentials } = accountAt(bakery, { imap, smtp })
      const shop = { ...connection.config, imap: { ...(connection.config.imap as object), mailbox: "Shop" } }
      imap.deliver(mail(1), later)
      imap.deliver(mail(2), later, "Shop")
      const provider = email()
      const polled = yield* provider.poll?.({ ...connection, config: shop }, credentials, null, later) ?? Effect.die("")
      expect(bodies(polled)).toEqual(["Message 2"])
      expect(bodies(yield* poll(null))).toEqual(["Message 1"])
    })
  )

  it.scopedLive("is not read by the UIDs of another one that the settings named before", () =>
    Effect.gen(function* () {
      const { imap, poll, smtp } = yield* world()
      for (const number of [1, 2, 3]) imap.deliver(mail(number), later)
      const { cursor } = yield* poll(null)
      const other = yield* imapVendor({ ...bakery.imap, user: "other" })
      imap.deliver(mail(4), later, "Shop")
      other.deliver(mail(5), later)
      const pollAt = (server: typeof imap, user: string, mailbox: string) => {
        const { connection, credentials } = accountAt(bakery, { imap: server, smtp })
        const config = { ...connection.config, imap: { ...(connection.config.imap as object), mailbox } }
        const given = { ...(credentials as object), imap: { ...bakery.imap, user } }
        return email().poll?.({ ...connection, config }, given, cursor, later) ?? Effect.die("no poll")
      }
      expect(bodies(yield* pollAt(imap, bakery.imap.user, "Shop"))).toEqual(["Message 4"])
      expect(bodies(yield* pollAt(other, "other", "INBOX"))).toEqual(["Message 5"])
      expect(bodies(yield* pollAt(imap, bakery.imap.user, "INBOX"))).toEqual([])
    })
  )

  it.scopedLive("goes on from a cursor of an earlier version, which does not name the mailbox", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      imap.deliver(mail(1), later)
      const { mailbox: _, ...cursor } = (yield* poll(null)).cursor as { readonly mailbox: string }
      imap.deliver(mail(2), later)
      expect(bodies(yield* poll(cursor))).toEqual(["Message 2"])
    })
  )

  it.scopedLive("is disconnected and polled again after an error", () =>
    Effect.gen(function* () {
      const { imap, poll } = yield* world()
      const wrong = { imap: { user: bakery.imap.user, password: "wrong" } }
      expect(yield* Effect.flip(poll(null, wrong))).toMatchObject({
        _tag: "ProviderUnavailable",
        reason: "does not take the user name and password"
      })
      yield* Effect.repeat(Effect.sleep(5), { until: () => imap.open() === 0 })
      yield* Effect.promise(imap.stop)
      expect(yield* Effect.flip(poll(null))).toMatchObject({ _tag: "ProviderUnavailable" })
    })
  )

  it.effect("is not polled without settings", () =>
    Effect.gen(function* () {
      const connection = aConnection({ channel: "email", provider: "email", config: { smtp: { host: "127.0.0.1" } } })
      const polled = yield* email().poll?.(connection, null, null, later) ?? Effect.die("no poll")
      expect(polled).toEqual({ events: [], cursor: null, againInMs: 86_400_000 })
    })
  )
})
