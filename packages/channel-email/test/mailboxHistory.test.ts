import { describe, expect, it } from "@effect/vitest"
import { HistoryAnswer, type PastMessage, type ProviderUnavailable } from "@parley/core"
import { aConnection } from "@parley/testkit/rows"
import { Effect } from "effect"
import { email } from "../src/index.js"
import { accountAt, bakery, mailServers } from "./accounts.js"
import { sentMailbox } from "./ImapVendor.js"
import { aMail, multipart, part } from "./mails.js"

const { createdAt } = aConnection()
const day = 86_400_000
const before = createdAt - 90 * day

type Page = HistoryAnswer & { readonly _tag: "Page" }

const world = () =>
  Effect.map(mailServers(bakery), (servers) => {
    const { connection, credentials } = accountAt(bakery, servers)
    const provider = email()
    return {
      ...servers,
      poll: () => provider.poll?.(connection, credentials, null, createdAt + day) ?? Effect.die("no poll"),
      read: (cursor: string | null = null): Effect.Effect<HistoryAnswer, ProviderUnavailable> =>
        provider.history?.(connection, credentials, cursor) ?? Effect.die("no history")
    }
  })

type Read = Effect.Effect.Success<ReturnType<typeof world>>["read"]

/** All pages from a cursor on. */
const pages = (read: Read, cursor: string | null = null): Effect.Effect<ReadonlyArray<Page>, ProviderUnavailable> =>
  Effect.gen(function* () {
    const page = yield* read(cursor)
    if (!HistoryAnswer.$is("Page")(page)) return yield* Effect.die(page)
    return page.cursor === null ? [page] : [page, ...(yield* pages(read, page.cursor))]
  })
const conversationsOf = (all: ReadonlyArray<Page>) => all.flatMap(({ conversations }) => conversations)
const messagesOf = (all: ReadonlyArray<Page>): ReadonlyArray<PastMessage> =>
  conversationsOf(all).flatMap(({ messages }) => messages)
const bodies = (all: ReadonlyArray<Page>) => messagesOf(all).map(({ body }) => body)

const mail = (number: number, headers: { readonly [name: string]: string } = {}): Buffer =>
  aMail({ "Message-ID": `<mail-${number}@customer.example>`, ...headers }, `Message ${number}`)

const sentMail = (headers: { readonly [name: string]: string } = {}, body = "It is ready.") =>
  aMail(
    {
      From: "The Bakery <hello@bakery.example>",
      To: "Ada Lovelace <Ada@Customer.example>",
      "Message-ID": "<answer-1@bakery.example>",
      ...headers
    },
    body
  )

describe("the history of a mailbox", () => {
  it.scopedLive("has the mails from before the connection, those of one customer together", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      imap.deliver(mail(1), before)
      imap.deliver(mail(2, { From: "Grace <grace@customer.example>" }), before + 1_000)
      imap.deliver(mail(3), before + 2_000)
      imap.deliver(mail(4), createdAt + 1_000)
      const found = conversationsOf(yield* pages(read))
      expect(found).toMatchObject([
        {
          ...{ _tag: "History", handle: "Ada@Customer.example", displayName: "Ada Lovelace" },
          messages: [
            {
              ...{ direction: "inbound", at: before, body: "Message 1", subject: "My order", attachments: [] },
              mail: { from: "Ada Lovelace <Ada@Customer.example>", to: ["hello@bakery.example"] }
            },
            { body: "Message 3", at: before + 2_000 }
          ]
        },
        { handle: "grace@customer.example", displayName: "Grace", messages: [{ body: "Message 2" }] }
      ])
    })
  )

  it.scopedLive("gives a mail the id that polling gives it, and says what polling says of who wrote it", () =>
    Effect.gen(function* () {
      const { imap, poll, read } = yield* world()
      const mails = [mail(1), mail(2, { "Auto-Submitted": "auto-replied" })]
      for (const raw of mails) imap.deliver(raw, before)
      for (const raw of mails) imap.deliver(raw, createdAt + day)
      const past = messagesOf(yield* pages(read)).map(({ automatic, providerMessageId }) => ({
        automatic,
        providerMessageId
      }))
      expect(past.map(({ automatic }) => automatic)).toEqual([false, true])
      expect((yield* poll()).events).toMatchObject(past)
    })
  )

  it.scopedLive("has what the business sent, before the answers to it", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      const answer = { "In-Reply-To": "<answer-1@bakery.example>" }
      imap.deliver(mail(1, answer), before + 1_000)
      imap.deliver(
        sentMail(
          { "In-Reply-To": "<q@customer.example>" },
          "Yes.\r\n\r\nOn Mon, 4 May 2026 at 08:30, Ada Lovelace <ada@customer.example> wrote:\r\n> Is it ready?\r\n"
        ),
        before,
        sentMailbox
      )
      imap.deliver(sentMail({ From: "private@else.example" }), before, sentMailbox)
      imap.deliver(sentMail({ To: "hello@bakery.example" }), before, sentMailbox)
      imap.deliver(sentMail(), createdAt + 1_000, sentMailbox)
      const found = conversationsOf(yield* pages(read))
      expect(found).toMatchObject([
        {
          ...{ handle: "Ada@Customer.example", displayName: "Ada Lovelace" },
          messages: [
            {
              ...{ providerMessageId: "<answer-1@bakery.example>", direction: "outbound", at: before },
              ...{ body: "Yes.", fullText: expect.stringContaining("> Is it ready?"), subject: "My order" }
            }
          ]
        },
        { messages: [{ direction: "inbound", quoted: { providerMessageId: "<answer-1@bakery.example>" } }] }
      ])
      expect(found).toHaveLength(2)
    })
  )

  it.scopedLive("trusts a mail of our own address in the folder of sent mail only", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      imap.deliver(sentMail(), before)
      expect(messagesOf(yield* pages(read))).toEqual([])
    })
  )

  it.scopedLive("has files, and leaves out what is no customer's message", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      const [headers, body] = multipart("mixed", [
        part("text/plain", "Here."),
        part(
          "image/png",
          "cG5n",
          "Content-Transfer-Encoding: base64",
          'Content-Disposition: attachment; filename="a.png"'
        )
      ])
      imap.deliver(Buffer.from("no mail at all"), before)
      imap.deliver(aMail({}, "a".repeat(33 * 1024 * 1024)), before)
      imap.deliver(aMail(headers, body), before)
      expect(messagesOf(yield* pages(read))).toMatchObject([
        { body: "Here.", attachments: [{ type: "image", fileName: "a.png", content: Buffer.from("png") }] }
      ])
    })
  )

  it.scopedLive("is read in batches, and goes on at a cursor", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      const numbers = Array.from({ length: 30 }, (_, at) => at + 1)
      for (const number of numbers) imap.deliver(mail(number), before)
      const all = yield* pages(read)
      expect(bodies(all)).toEqual(numbers.map((number) => `Message ${number}`))
      expect(Math.max(...all.map((page) => messagesOf([page]).length))).toBe(25)
      const half = all.find((page) => messagesOf([page]).length > 0)
      expect(bodies(yield* pages(read, half?.cursor ?? null))).toEqual(numbers.slice(25).map((one) => `Message ${one}`))
    })
  )

  it.scopedLive("begins a folder again that the server renumbered", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      for (let number = 1; number <= 26; number++) imap.deliver(mail(number), before)
      const [, first] = yield* pages(read)
      imap.renumber()
      expect(bodies(yield* pages(read, first?.cursor ?? null))).toHaveLength(26)
    })
  )

  for (const how of ["no", "bye"] as const) {
    it.scopedLive(`goes on after mails that the server does not send (${how})`, () =>
      Effect.gen(function* () {
        const { imap, read } = yield* world()
        for (const number of [1, 2, 3]) imap.deliver(mail(number), before)
        imap.damage(2, how)
        expect(bodies(yield* pages(read))).toEqual(["Message 1", "Message 3"])
      })
    )
  }

  for (const folder of ["INBOX", sentMailbox]) {
    it.scopedLive(`goes on after mails at both ends of a step that the server does not send (${folder})`, () =>
      Effect.gen(function* () {
        const { imap, read } = yield* world()
        const numbers = Array.from({ length: 26 }, (_, at) => at + 1)
        for (const number of numbers) {
          const id = { "Message-ID": `<mail-${number}@bakery.example>` }
          imap.deliver(folder === "INBOX" ? mail(number) : sentMail(id, `Message ${number}`), before, folder)
        }
        for (const number of [1, 25]) imap.damage(number, "bye")
        const expected = numbers.filter((number) => number !== 1 && number !== 25).map((number) => `Message ${number}`)
        expect(bodies(yield* pages(read))).toEqual(expected)
      })
    )
  }

  it.scopedLive("ends with a last mail that the server does not send", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      for (const number of [1, 2]) imap.deliver(mail(number), before)
      imap.damage(2, "no")
      expect(bodies(yield* pages(read))).toEqual(["Message 1"])
    })
  )

  for (const how of ["no", "bye"] as const) {
    it.scopedLive(`goes on after the only mail of a step that the server does not send (${how})`, () =>
      Effect.gen(function* () {
        const { imap, read } = yield* world()
        imap.deliver(mail(1), before)
        imap.damage(1, how)
        expect(bodies(yield* pages(read))).toEqual([])
      })
    )
  }

  it.scopedLive("fails while the server sends no mail", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      for (const number of [1, 2]) imap.deliver(mail(number), before)
      imap.damage(1, "no")
      imap.damage(2, "no")
      expect(yield* Effect.flip(pages(read))).toMatchObject({ _tag: "ProviderUnavailable" })
    })
  )

  it.scopedLive("changes no mail", () =>
    Effect.gen(function* () {
      const { imap, read } = yield* world()
      imap.deliver(mail(1), before)
      yield* pages(read)
      expect(imap.flags()).toEqual([[]])
      expect(imap.commands.join("")).not.toMatch(/\b(STORE|SELECT|EXPUNGE|BODY\[)/)
    })
  )

  it.scopedLive("is refused for a connection without a mailbox, and at a cursor of another import", () =>
    Effect.gen(function* () {
      const connection = aConnection({ channel: "email", provider: "email", config: { smtp: { host: "127.0.0.1" } } })
      const withoutMailbox = yield* email().history?.(connection, null, null) ?? Effect.die("no history")
      expect(withoutMailbox).toMatchObject({ _tag: "Refused", problem: expect.stringContaining("no mailbox") })
      expect(yield* (yield* world()).read("2")).toMatchObject({
        _tag: "Refused",
        problem: expect.stringContaining("cursor")
      })
    })
  )
})
