import { type AddressInfo, createServer, type Server, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { BlobsUnavailable, minute, type OutboundMessage, type SendOutcome } from "@parley/core"
import { Deferred, Effect, Fiber, Stream, TestClock, TestServices } from "effect"
import type { EmailOptions } from "../src/EmailOptions.js"
import { email } from "../src/index.js"
import { accountAt, bakery, type MailServers, mailServers } from "./accounts.js"
import { certificate, expiredCertificate } from "./certificate.js"
import { lineServer, smtpAnswers } from "./lineServer.js"
import { smtpVendor } from "./SmtpVendor.js"

const now = Date.UTC(2026, 4, 4, 8, 30)
const id = (number: number) => `01900000-0000-7000-8000-00000000000${number}`

const aMessage = (given: Partial<OutboundMessage> = {}): OutboundMessage => ({
  id: id(1),
  to: "ada@customer.example",
  template: null,
  body: "Your order is ready.",
  subject: null,
  thread: [],
  attempt: 1,
  ...given
})

const signedIds = { report: "0".repeat(42), unsubscribe: "1".repeat(42), unsubscribeUrl: null }

/** A provider with its servers; `send` hands it a message. */
const world = (config: { readonly [key: string]: unknown } = {}, options: EmailOptions = {}) =>
  Effect.map(mailServers(bakery), (servers) => ({ ...servers, send: sender(servers, config, options) }))

const sender = (servers: MailServers, config: { readonly [key: string]: unknown } = {}, options: EmailOptions = {}) => {
  const provider = email(options)
  return (message: Partial<OutboundMessage> = {}, more: typeof config = {}): Effect.Effect<SendOutcome> => {
    const { connection, credentials } = accountAt(bakery, servers, { ...config, ...more })
    return provider.send(connection, credentials, aMessage(message), now)
  }
}

describe("a mail that goes out", () => {
  it.scopedLive("answers the quoted mail, last of its references", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const earlier = (id: string) => ({ direction: "inbound", subject: "Hi", providerMessageId: id }) as const
      const id = (name: string) => `<${name}@x.example> sha256:${"ab".repeat(32)}`
      yield* send({ thread: [earlier(id("a")), earlier("<b@x.example>")], quoted: id("a") })
      expect(smtp.taken[0]?.mail).toMatchObject({
        inReplyTo: "<a@x.example>",
        references: ["<b@x.example>", "<a@x.example>"]
      })
    })
  )

  it.scopedLive("is not begun if a file cannot be read", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const file = { type: "image", contentType: "image/png", fileName: null, size: 1, url: null } as const
      const bytes = Stream.fail(new BlobsUnavailable({ reason: "the disk is away" }))
      expect(yield* send({ files: [{ ...file, bytes }] })).toMatchObject({
        _tag: "Transient",
        reason: "the disk is away"
      })
      expect(smtp.taken).toEqual([])
    })
  )

  it.scopedLive("is from the business, to one customer, under our own id", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world({ from_name: "Die Bäckerei", reply_to: "answers@bakery.example" })
      expect(yield* send({ subject: "Grüße" })).toEqual({
        _tag: "Accepted",
        providerMessageId: `<${id(1)}@bakery.example>`,
        receipts: []
      })
      const [{ envelope, mail } = expect.fail("nothing was sent")] = smtp.taken
      expect(mail).toMatchObject({
        messageId: `<${id(1)}@bakery.example>`,
        subject: "Grüße",
        date: new Date(now),
        from: { value: [{ address: "hello@bakery.example", name: "Die Bäckerei" }] },
        to: { value: [{ address: "ada@customer.example", name: "" }] },
        replyTo: { value: [{ address: "answers@bakery.example" }] },
        html: false,
        attachments: []
      })
      expect(mail.inReplyTo).toBeUndefined()
      expect(envelope).toMatchObject({
        mailFrom: { address: "hello@bakery.example" },
        rcptTo: [{ address: "ada@customer.example" }],
        dsn: { envid: id(1), ret: "HDRS" }
      })
    })
  )

  it.scopedLive("has its signed id in the envelope, and in the return path where there is one", () =>
    Effect.gen(function* () {
      const { imap } = yield* mailServers(bakery)
      const smtp = yield* smtpVendor({ ...bakery.smtp, address: bakery.address, alias: /^hello\+[0-9a-v]{42}@bakery/ })
      const send = sender({ smtp, imap })
      yield* send({ signedIds })
      yield* send({ id: id(2), signedIds }, { return_path: "hello+*@bakery.example" })
      yield* send({ id: id(3) }, { return_path: "hello+*@bakery.example" })
      const [plain, signed, without] = smtp.taken
      const dsn = { envid: signedIds.report, ret: "HDRS" }
      expect(plain?.envelope).toMatchObject({ mailFrom: { address: "hello@bakery.example" }, dsn })
      expect(plain?.envelope.rcptTo[0]?.dsn?.orcpt).toBe("rfc822;ada@customer.example")
      const address = `hello+${signedIds.report}@bakery.example`
      expect(signed?.envelope).toMatchObject({ mailFrom: { address }, dsn })
      expect(signed?.mail.from?.value).toMatchObject([{ address: "hello@bakery.example" }])
      expect(without?.envelope).toMatchObject({ mailFrom: { address: "hello@bakery.example" } })
    })
  )

  it.scopedLive("has one-click unsubscribe where it has a URL for it", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const unsubscribeUrl = `https://parley.example/messaging/of/the/bakery/unsubscribe?id=${signedIds.unsubscribe}`
      yield* send({ signedIds })
      yield* send({ id: id(2), signedIds: { ...signedIds, unsubscribeUrl } })
      yield* send({ id: id(3), signedIds: { ...signedIds, unsubscribeUrl } }, { unsubscribe: "hello@bakery.example" })
      const headers = smtp.taken.map(({ raw }) => raw.split("\r\n\r\n", 1)[0]?.replace(/\r\n[ \t]+/g, " ") ?? "")
      const [transactional, marketing, both] = headers.map((head) => head.match(/^List-.*$/gm))
      expect(transactional).toBeNull()
      const post = "List-Unsubscribe-Post: List-Unsubscribe=One-Click"
      expect([...(marketing ?? [])].sort()).toEqual([post, `List-Unsubscribe: <${unsubscribeUrl}>`])
      const mailto = `mailto:hello@bakery.example?subject=unsubscribe%20${signedIds.unsubscribe}`
      expect([...(both ?? [])].sort()).toEqual([post, `List-Unsubscribe: <${unsubscribeUrl}>, <${mailto}>`])
    })
  )

  it.scopedLive("ends a question with the link to its page", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const chooseUrl = `https://parley.example/choose?id=${"2".repeat(42)}`
      yield* send({ body: "Which day?\n1. Monday", signedIds: { ...signedIds, chooseUrl } })
      expect(smtp.taken[0]?.mail.text?.trimEnd()).toBe(`Which day?\n1. Monday\n\n${chooseUrl}`)
    })
  )

  it.scopedLive("says of a mail that a program wrote it: of bots, workflows, and applications that say so", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const origins = ["bot", "workflow", "agent", "application", undefined] as const
      for (const [number, origin] of origins.entries()) {
        yield* send({ id: id(number + 1), ...(origin === undefined ? {} : { origin }) })
      }
      expect(smtp.taken.map(({ mail }) => mail.headers.get("auto-submitted"))).toEqual([
        "auto-replied",
        "auto-generated",
        undefined,
        undefined,
        undefined
      ])
      yield* send({ id: id(9), origin: "application", automatic: true })
      expect(smtp.taken.at(-1)?.mail.headers.get("auto-submitted")).toBe("auto-replied")
    })
  )

  it.scopedLive("continues what was said before", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const said = (providerMessageId: string, subject: string | null) =>
        ({ direction: "inbound", providerMessageId, subject }) as const
      const thread = [
        said("<a@customer.example>", "My\r\n order"),
        said("sha256:1", null),
        said("<b@x.example>\r\nBcc: c", null)
      ]
      yield* send({ thread })
      yield* send({
        id: id(2),
        thread: [said("<c@customer.example>", "AW: Order"), said("<d@customer.example>", null)]
      })
      yield* send({ id: id(3), thread, subject: "Another matter" })
      const [first, second, third] = smtp.taken.map(({ mail }) => mail)
      expect(first).toMatchObject({ subject: "Re: My order", inReplyTo: "<a@customer.example>" })
      expect(second).toMatchObject({
        subject: "AW: Order",
        inReplyTo: "<d@customer.example>",
        references: ["<c@customer.example>", "<d@customer.example>"]
      })
      expect(third).toMatchObject({ subject: "Another matter", inReplyTo: "<a@customer.example>" })
    })
  )

  it.scopedLive("has a subject in any case, and the way to end all mails where there is one", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      yield* send()
      yield* send({ id: id(2) }, { default_subject: "News", unsubscribe: "hello+no@bakery.example" })
      const [first, second] = smtp.taken
      expect(first?.mail.subject).toBe("Message from The Bakery")
      expect(first?.raw).not.toMatch(/^List-/m)
      expect(second?.mail.subject).toBe("News")
      expect(second?.raw).toMatch(/^List-Unsubscribe: <mailto:hello\+no@bakery\.example\?subject=unsubscribe>\r$/m)
    })
  )

  it.scopedLive("asks for word of its delivery where that is wanted", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      yield* send()
      yield* send({ id: id(2) }, { delivery_receipts: true })
      const requests = smtp.taken.map(({ envelope }) => envelope.rcptTo[0]?.dsn?.notify)
      expect(requests).toEqual([["FAILURE"], ["FAILURE", "SUCCESS"]])
    })
  )

  it.scopedLive("never has a line break in a header", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      for (const message of [
        { subject: "a\r\nBcc: b@c.example" },
        { subject: "a\nb" },
        { to: "a@b.example\r\nDATA" }
      ]) {
        expect(yield* send(message)).toMatchObject({ _tag: "Rejected", scope: "message", providerCode: "line_break" })
      }
      expect([smtp.made(), smtp.taken]).toEqual([0, []])
    })
  )

  it.scopedLive("reaches no mailbox by another spelling of its address", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      for (const to of [
        "x:optout@customer.example",
        "optout@customer.example(a)",
        "optout@customer.example\u0007",
        "Optout@customer.example",
        "optout@customer.example, other@customer.example"
      ]) {
        const outcome = yield* send({ to })
        expect(outcome).toMatchObject({ _tag: "Rejected", scope: "message", providerCode: "invalid_address" })
      }
      expect(smtp.taken).toEqual([])
    })
  )

  it.scopedLive("has HTML beside the text where there is some, and is text alone else", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const html = `<p style="color: red">Grüße 🥐 &amp; more</p>\n<p>${"long ".repeat(500)}</p>\n.\n<img src="file:///a">`
      yield* send({ body: "Grüße 🥐 & more", html })
      yield* send({ id: id(2), html: null })
      const [both, text] = smtp.taken
      expect(both?.raw).toMatch(/^Content-Type: multipart\/alternative;/m)
      const types = [...(both?.raw ?? "").matchAll(/^Content-Type: (text\/\w+); charset=utf-8/gm)].map(
        ([, type]) => type
      )
      expect(types).toEqual(["text/plain", "text/html"])
      expect(both?.mail).toMatchObject({ text: "Grüße 🥐 & more", html, attachments: [] })
      // Nor does a line exceed what mail servers take.
      expect(Math.max(...(both?.raw ?? "").split("\r\n").map((line) => line.length))).toBeLessThan(1_000)
      expect(text?.mail.html).toBe(false)
      expect(text?.raw).not.toMatch(/multipart/)
    })
  )

  it.scopedLive("keeps every text as it is, a path or a URL too", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      const body = `.\r\n..\n  two  spaces  \n${"long ".repeat(500)}\nfile:///etc/passwd\nGrüße 🥐`
      yield* send({ body, subject: "file:///etc/passwd" })
      expect(smtp.taken[0]?.mail.text).toBe(`${body.replace(/\r/g, "")}\n`)
    })
  )
})

describe("the connections to a mail server", () => {
  it.scopedLive("carry one mail after another", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      for (const number of [1, 2, 3]) yield* send({ id: id(number) })
      expect([smtp.taken.length, smtp.made()]).toEqual([3, 1])
    })
  )

  it.scopedLive("are as many as the server may have", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      yield* Effect.forEach([1, 2, 3, 4, 5, 6, 7, 8], (number) => send({ id: id(number) }), {
        concurrency: "unbounded"
      })
      expect(smtp.taken).toHaveLength(8)
      expect(smtp.made()).toBeLessThanOrEqual(5)
    })
  )

  it.scopedLive("close once they are idle", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world({}, { idleMs: 20 })
      yield* send()
      yield* Effect.repeat(Effect.sleep(5), { until: () => smtp.open() === 0 })
      yield* send({ id: id(2) })
      expect([smtp.taken.length, smtp.made()]).toEqual([2, 2])
    })
  )

  it.scopedLive("are others once the settings are", () =>
    Effect.gen(function* () {
      const { imap, smtp, send } = yield* world()
      const elsewhere = yield* smtpVendor({ ...bakery.smtp, address: bakery.address })
      yield* send()
      yield* send({ id: id(2) }, { smtp: { host: "127.0.0.1", port: elsewhere.port, security: "none" } })
      expect([smtp.taken.length, elsewhere.taken.length, imap.commands.length]).toEqual([1, 1, 0])
    })
  )
})

describe("a hand-over that is cut off", () => {
  it.scopedLive("is certain not to have gone out before the server asked for the text", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      smtp.cut("mail")
      expect(yield* send()).toMatchObject({ _tag: "Transient" })
      smtp.cut("rcpt")
      expect(yield* send()).toMatchObject({ _tag: "Transient" })
      expect(smtp.taken).toEqual([])
    })
  )

  it.scopedLive("is taken up at once where an open connection had ended meanwhile", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      yield* send()
      smtp.cut("mail")
      expect(yield* send({ id: id(2) })).toMatchObject({ _tag: "Accepted" })
      expect([smtp.taken.length, smtp.made()]).toEqual([2, 2])
    })
  )

  it.scopedLive("may have gone out after that, and is not sent again", () =>
    Effect.gen(function* () {
      const { send, smtp } = yield* world()
      yield* send()
      smtp.cut("data")
      expect(yield* send({ id: id(2) })).toMatchObject({ _tag: "Unknown" })
      expect(smtp.taken).toHaveLength(1)
    })
  )
})

describe("a mail that takes long", () => {
  it.scoped("is certain not to have gone out while no server greets, or it waits for one of the connections", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* bareServer(() => {})
      const send = senderTo(port)
      const sent = yield* Effect.fork(
        Effect.forEach([1, 2, 3, 4, 5, 6, 7], (number) => send({ id: id(number) }), { concurrency: "unbounded" })
      )
      yield* live(Effect.repeat(Effect.sleep(1), { until: () => sockets.size >= 5 }))
      yield* TestClock.adjust(10 * minute)
      expect((yield* Fiber.join(sent)).map(({ _tag }) => _tag)).toEqual(Array.from({ length: 7 }, () => "Transient"))
    })
  )

  it.scoped("is certain not to have gone out while the server has not taken all of its text", () =>
    Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const { port } = yield* bareServer((socket) =>
        smtpSession(socket, () => {
          // Takes nothing more, so that the mail does not come to its end.
          socket.pause()
          Deferred.unsafeDone(started, Effect.void)
        })
      )
      const sent = yield* Effect.fork(senderTo(port)({ files: [aFile(15 * 1_048_576), aFile(15 * 1_048_576)] }))
      yield* Deferred.await(started)
      yield* TestClock.adjust(10 * minute)
      expect(yield* Fiber.join(sent)).toMatchObject({ _tag: "Transient" })
    })
  )

  it.scoped("may have gone out where the answer to the whole of it is no reply", () =>
    Effect.gen(function* () {
      for (const answer of ["no reply\r\n", "354 Go on\r\n"]) {
        const { port } = yield* bareServer((socket) =>
          smtpSession(socket, (text) => {
            if (text.endsWith("\r\n.\r\n")) socket.end(answer)
          })
        )
        expect(yield* senderTo(port)(), answer).toMatchObject({ _tag: "Unknown" })
      }
    })
  )

  it.scoped("is waited for once the server has all of it", () =>
    Effect.gen(function* () {
      const whole = yield* Deferred.make<Socket>()
      const { port } = yield* bareServer((socket) =>
        smtpSession(socket, (text) => {
          if (text.endsWith("\r\n.\r\n")) Deferred.unsafeDone(whole, Effect.succeed(socket))
        })
      )
      const sent = yield* Effect.fork(senderTo(port)())
      const socket = yield* Deferred.await(whole)
      yield* TestClock.adjust(20 * minute)
      expect(sent.unsafePoll()).toBeNull()
      socket.write("250 OK\r\n")
      expect(yield* Fiber.join(sent)).toMatchObject({ _tag: "Accepted" })
    })
  )

  it.scoped("of whose files the bytes do not come is not begun", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* bareServer(() => {})
      const sent = yield* Effect.fork(senderTo(port)({ files: [{ ...aFile(1), bytes: Stream.never }] }))
      yield* TestClock.adjust(minute)
      expect([(yield* Fiber.join(sent))._tag, sockets.size]).toEqual(["Transient", 0])
    })
  )

  it("is given more time by the engine than all of its parts, and waits for one of the connections there", () => {
    const { maxConcurrentSends, sendTimeout = 0 } = email()
    const { connection } = accountAt(bakery, nowhere)
    const smtp = { host: "127.0.0.1", port: 1, security: "none" }
    const of = (config: typeof connection.config) =>
      maxConcurrentSends?.({ ...connection, config }, { attachments: [] })
    expect([of({ smtp }), of({ smtp: { ...smtp, connections: 9 } }), of({})]).toEqual([5, 9, 1])
    expect(sendTimeout).toBeGreaterThan(21 * minute)
  })
})

const live = TestServices.provideLive
const nowhere = { smtp: { port: 1 }, imap: { port: 1 } } as MailServers
const senderTo = (port: number) => sender({ ...nowhere, smtp: { ...nowhere.smtp, port } })

const aFile = (size: number) => {
  const described = { type: "image", contentType: "image/png", fileName: null, url: null } as const
  return { ...described, size, bytes: Stream.make(new Uint8Array(size)) }
}

/** A server that does nothing by itself with its connections. */
const bareServer = (onConnection: (socket: Socket) => void) =>
  Effect.acquireRelease(
    Effect.async<{ readonly port: number; readonly sockets: Set<Socket>; readonly server: Server }>((resume) => {
      const sockets = new Set<Socket>()
      const server = createServer((socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        onConnection(socket)
      })
      server.listen(0, "127.0.0.1", () => {
        resume(Effect.succeed({ port: (server.address() as AddressInfo).port, sockets, server }))
      })
    }),
    ({ server, sockets }) =>
      Effect.sync(() => {
        for (const socket of sockets) socket.destroy()
        server.close()
      })
  )

/** Answers each command, up to DATA; then `onText` is called with each piece of the text, up to there. */
const smtpSession = (socket: Socket, onText: (text: string) => void): void => {
  let text: string | null = null
  socket.write("220 mail.example\r\n")
  socket.on("data", (chunk) => {
    if (text !== null) {
      text += chunk.toString("latin1")
      return onText(text)
    }
    for (const line of chunk.toString("latin1").split("\r\n").slice(0, -1)) {
      if (line.startsWith("DATA")) text = ""
      socket.write(line.startsWith("DATA") ? "354 Go on\r\n" : "250 OK\r\n")
    }
  })
}

describe("the way to a mail server", () => {
  const secured = (security: string, options: EmailOptions, disabledCommands: Array<string> = []) =>
    Effect.gen(function* () {
      const login = { ...bakery.smtp, address: bakery.address }
      const smtp = yield* smtpVendor(login, {
        secure: security === "tls",
        disabledCommands,
        allowInsecureAuth: false
      })
      const { imap } = yield* mailServers(bakery)
      const send = sender({ smtp, imap }, { smtp: { host: "localhost", port: smtp.port, security } }, options)
      return { outcome: yield* send(), taken: smtp.taken }
    })

  it.scopedLive("is protected from the first byte or from the second word", () =>
    Effect.gen(function* () {
      for (const security of ["tls", "starttls"]) {
        const { outcome, taken } = yield* secured(security, { ca: certificate })
        expect([outcome._tag, taken.length]).toEqual(["Accepted", 1])
      }
    })
  )

  it.scopedLive("is not taken where it is not the server's own, or not protected as it should be", () =>
    Effect.gen(function* () {
      for (const security of ["tls", "starttls"]) {
        expect((yield* secured(security, {})).outcome._tag).toBe("Transient")
      }
      expect((yield* secured("starttls", { ca: certificate }, ["STARTTLS"])).outcome._tag).toBe("Transient")
    })
  )

  it.scopedLive("is not taken with a certificate that has expired, which the outcome says", () =>
    Effect.gen(function* () {
      const { port } = yield* lineServer(
        "220 mail.example",
        smtpAnswers(() => undefined),
        expiredCertificate
      )
      const { imap } = yield* mailServers(bakery)
      const smtp = { host: "localhost", port, security: "tls" }
      expect(yield* sender({ smtp: { port }, imap } as MailServers, { smtp }, { ca: expiredCertificate })()).toEqual(
        expect.objectContaining({
          _tag: "Transient",
          reason: "the mail server has a certificate that has expired: CERT_HAS_EXPIRED"
        })
      )
    })
  )
})

describe("an answer that is no reply of SMTP", () => {
  for (const command of ["AUTH", "MAIL", "RCPT", "DATA"]) {
    it.scopedLive(`to ${command} neither fails the mail nor disconnects`, () =>
      Effect.gen(function* () {
        const answers = smtpAnswers((line) => (line.startsWith(command) ? "what is this" : undefined))
        const { port } = yield* lineServer("220 mail.example", answers)
        const { imap } = yield* mailServers(bakery)
        const outcome = yield* sender({ smtp: { port }, imap } as MailServers)()
        expect(outcome).toMatchObject({
          _tag: "Transient",
          reason: expect.stringContaining("the mail server gave an answer that is no reply of SMTP")
        })
      })
    )
  }
})

it.scopedLive("a refusal that repeats the login shows it neither in plain text nor as it was sent", () =>
  Effect.gen(function* () {
    let login = ""
    const answers = smtpAnswers((line) => {
      if (line.startsWith("AUTH")) login = line.slice("AUTH PLAIN ".length)
      const plain = Buffer.from(login, "base64").toString().split("\0")[2] ?? ""
      return line.startsWith("RCPT") ? `550 5.1.1 unknown: ${login} ${plain} ${btoa(plain)}` : undefined
    })
    const { port } = yield* lineServer("220 mail.example", answers)
    const { imap } = yield* mailServers(bakery)
    expect(yield* sender({ smtp: { port }, imap } as MailServers)()).toMatchObject({
      _tag: "Rejected",
      providerMessage: expect.stringMatching(/unknown: … … …$/)
    })
  })
)

describe("a connection without its settings", () => {
  it.effect("sends nothing", () =>
    Effect.gen(function* () {
      yield* TestClock.setTime(now)
      const connection = accountAt(bakery, { smtp: { port: 1 }, imap: { port: 1 } } as MailServers).connection
      const outcome = yield* email().send({ ...connection, config: {} }, null, aMessage(), now)
      expect(outcome).toMatchObject({ _tag: "Rejected", scope: "connection", providerCode: "incomplete_settings" })
    })
  )
})
