import { describe, expect, it } from "@effect/vitest"
import type { OutboundMessage } from "@parley/core"
import { type Account, channelContract } from "@parley/testkit"
import { Effect, Stream } from "effect"
import { telegram } from "../src/index.js"
import { accountOf } from "./account.js"
import { actions } from "./actions.js"
import { business, businessActions, businessEchoes, businessMessage, businessNews, owner } from "./businessActions.js"
import { fixture, ours, theirs } from "./fixture.js"
import { aMessage, now, opened } from "./opened.js"
import { customer, kept, receives } from "./received.js"

const withBusiness = (account: Account): Account => ({
  ...account,
  connection: { ...account.connection, config: { business_connections: [business] } }
})

const { webhook } = fixture
if ("lacks" in webhook) throw new Error("the fixture has webhooks")
channelContract({
  ...fixture,
  name: "telegram with business accounts",
  account: () => withBusiness(accountOf(ours)),
  other: () => withBusiness(accountOf(theirs)),
  webhook: { ...webhook, actions: [...actions, ...businessActions], echoes: businessEchoes, news: businessNews }
})

/** The customer's latest message, and what the business sent before and after it. */
const thread = (last: string): OutboundMessage["thread"] => [
  { direction: "outbound", subject: null, providerMessageId: "123456789:1" },
  { direction: "inbound", subject: null, providerMessageId: last },
  { direction: "outbound", subject: null, providerMessageId: "123456789:9" }
]
const inBusiness = thread(`123456789:7:business:${business}`)

describe("chats of business accounts", () => {
  it.effect("that are not listed are neither read nor answered: everyone can connect a bot with their account", () =>
    Effect.gen(function* () {
      const written = { business_message: businessMessage(customer, 7, { text: "Hi" }) }
      expect(yield* receives(written, [business])).toHaveLength(1)
      expect(yield* receives(written, ["another"])).toMatchObject([{ _tag: "Unknown", kind: "update" }])
      expect(JSON.stringify(yield* receives(written, []))).not.toContain("Hi")

      const callback = (from: object) => ({
        callback_query: { id: "1", from, data: "yes", message: businessMessage(customer, 7, { text: "OK?" }) }
      })
      const person = { id: customer, first_name: "Ada" }
      expect(yield* receives(callback(person), [business])).toMatchObject([{ _tag: "Message" }])
      expect(yield* receives(callback(person), [])).toMatchObject([{ kind: "update" }])
      expect(yield* receives(callback(owner), [business])).toMatchObject([{ kind: "callback_query.business" }])
    })
  )
  it.scopedLive("that are not listed any more are answered in the chat with the bot", () =>
    Effect.gen(function* () {
      const { account: given, provider, vendor } = yield* opened()
      const account = withBusiness(given)
      vendor.businessConnections.add(business)
      const unlisted = { ...account.connection, config: { business_connections: [] } }
      yield* provider.send(unlisted, account.credentials, aMessage({ thread: inBusiness }), now)
      expect(vendor.taken.map(({ business }) => business)).toEqual([null])
    })
  )
  it.scopedLive(
    "that are not listed any more lend their message numbers to no quote or reaction of the chat with the bot",
    () =>
      Effect.gen(function* () {
        const { account, provider, vendor } = yield* opened()
        const send = (message: Partial<OutboundMessage>) =>
          provider.send(account.connection, account.credentials, aMessage(message), now)
        const quoted = "123456789:5:business:unlisted"
        yield* send({ quoted })
        expect(vendor.taken.map(({ business, quoted }) => [business, quoted])).toEqual([[null, null]])
        expect(yield* send({ quoted, content: { type: "reaction", emoji: "👍" } })).toMatchObject({ _tag: "Rejected" })
        expect(vendor.taken).toHaveLength(1)
      })
  )
  it.scopedLive("are answered on behalf of the account to which the customer wrote last", () =>
    Effect.gen(function* () {
      const { account: given, provider, vendor } = yield* opened()
      const account = withBusiness(given)
      vendor.businessConnections.add(business)
      const send = (message: Partial<OutboundMessage>) =>
        provider.send(account.connection, account.credentials, aMessage(message), now)
      const file = { type: "document", contentType: "application/pdf", fileName: "a.pdf", size: 3, url: null } as const
      const place = { type: "location", latitude: 1, longitude: 2, name: null, address: null, url: null } as const
      expect(yield* send({ thread: inBusiness })).toMatchObject({
        _tag: "Accepted",
        providerMessageId: `123456789:1000:business:${business}`
      })
      yield* send({ thread: inBusiness, files: [{ ...file, bytes: Stream.make(new Uint8Array(3)) }] })
      yield* send({ thread: inBusiness, content: place })
      yield* send({ thread: thread("123456789:7") })
      yield* send({ thread: inBusiness, quoted: "123456789:5" })
      yield* send({ thread: thread("123456789:7"), quoted: `123456789:5:business:${business}` })
      yield* send({ thread: [] })
      expect(vendor.taken.map(({ business, quoted }) => [business, quoted])).toEqual([
        [business, null],
        [business, null],
        [business, null],
        [null, null],
        [null, 5],
        [business, 5],
        [null, null]
      ])
    })
  )

  it.scopedLive("cannot have reactions, and not be answered once the bot is disconnected", () =>
    Effect.gen(function* () {
      const { account: given, provider, vendor } = yield* opened()
      const account = withBusiness(given)
      const send = (message: Partial<OutboundMessage>) =>
        provider.send(account.connection, account.credentials, aMessage({ thread: inBusiness, ...message }), now)
      const reaction = {
        content: { type: "reaction", emoji: "👍" },
        quoted: `123456789:7:business:${business}`
      } as const
      expect(yield* send(reaction)).toMatchObject({ _tag: "Rejected", scope: "message", providerCode: "unsupported" })
      const problemOf = (id: string) => telegram().reactionProblem?.(account.connection, id)
      expect(problemOf(reaction.quoted)).toContain("business accounts")
      expect([problemOf("callback:17"), problemOf("123456789:7")]).toEqual([expect.stringContaining("must be"), null])
      expect(yield* send({})).toMatchObject({
        _tag: "Rejected",
        scope: "message",
        providerMessage: "Bad Request: BUSINESS_CONNECTION_INVALID"
      })
      vendor.refuseNext({ code: 400, description: "Bad Request: BUSINESS_PEER_USAGE_MISSING" })
      expect(yield* send({})).toMatchObject({ _tag: "Rejected", scope: "recipient" })
      expect(vendor.taken).toEqual([])
    })
  )

  it.scopedLive("show that the business types", () =>
    Effect.gen(function* () {
      const { account: given, provider, vendor } = yield* opened()
      const account = withBusiness(given)
      const lastMessageId = `123456789:7:business:${business}`
      const signal = provider.signal(account.connection, account.credentials, {
        kind: "typing",
        to: "123456789",
        lastMessageId
      })
      expect((yield* Effect.flip(signal))._tag).toBe("ProviderUnavailable")
      vendor.businessConnections.add(business)
      yield* signal
      expect(vendor.typing).toEqual(["123456789"])
    })
  )

  it.scopedLive("are asked for and read only if the connection says so", () =>
    Effect.gen(function* () {
      const { account, provider, vendor } = yield* opened()
      const registered = (account: Account) =>
        Effect.map(provider.setUp(account.connection, account.credentials, "https://parley.example/inbound/1"), () =>
          [...vendor.webhooks.values()][0]?.allowed_updates?.filter((kind) => kind.includes("business"))
        )
      expect(yield* registered(account)).toEqual([])
      expect(yield* provider.check(withBusiness(account).connection, account.credentials)).toMatchObject({
        detail: expect.stringContaining("Telegram does not send business_connection, business_message")
      })
      expect(yield* registered(withBusiness(account))).toHaveLength(4)
      const message = businessMessage(customer, 7, { text: "Hello" })
      expect(yield* receives({ business_message: message })).toEqual([kept("business_message", message)])
    })
  )

  it.effect("may be echoes of our own messages, which the vendor marks", () =>
    Effect.gen(function* () {
      const sent = (bot: object) =>
        receives({ business_message: businessMessage(customer, 7, { from: owner, text: "Hi", ...bot }) }, [business])
      const echo = { _tag: "Echo", to: "123456789", providerMessageId: `123456789:7:business:${business}` }
      expect(yield* sent({})).toMatchObject([{ ...echo, mayBeOwn: false }])
      expect(yield* sent({ sender_business_bot: { id: 70_000_001 } })).toMatchObject([{ ...echo, mayBeOwn: true }])
      const bot = { sender_business_bot: { id: 70_000_001 } }
      const edited = businessMessage(customer, 7, { from: owner, text: "Hi!", date: 1, edit_date: 2, ...bot })
      expect(yield* receives({ edited_business_message: edited }, [business])).toMatchObject([
        { _tag: "Echo", mayBeOwn: true, at: 2_000, body: "Hi!", content: { type: "edit" } }
      ])
    })
  )

  it.effect("may lose several messages at once", () =>
    Effect.gen(function* () {
      const chat = { id: customer, type: "private", first_name: "Ada" }
      const deleted = { business_connection_id: business, chat, message_ids: [3, 4, "5"] }
      const quoted = (yield* receives({ deleted_business_messages: deleted }, [business])).map((event) =>
        event._tag === "Message" ? event.quoted?.providerMessageId : null
      )
      expect(quoted).toEqual([`123456789:3:business:${business}`, `123456789:4:business:${business}`])
    })
  )
})
