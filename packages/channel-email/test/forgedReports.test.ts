import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { channelEngine } from "@parley/testkit"
import { Effect } from "effect"
import { email } from "../src/index.js"
import { accountAt, bakery, mailServers } from "./accounts.js"
import { aReport } from "./mails.js"
import { smtpVendor } from "./SmtpVendor.js"

const headersOf = (body: Uint8Array) => ({
  "content-type": "message/rfc822",
  "x-parley-signature": `sha256=${createHmac("sha256", bakery.inboundSecret).update(body).digest("hex")}`
})

/** An engine that sent two mails to Ada; `bounce` posts a report, and `statuses` are those of the mails. */
const sentMails = (config: { readonly [key: string]: unknown }) =>
  Effect.gen(function* () {
    const { imap } = yield* mailServers(bakery)
    const smtp = yield* smtpVendor({ ...bakery.smtp, address: bakery.address, alias: /^hello\+[0-9a-v]{42}@bakery/ })
    const engine = yield* channelEngine(email(), accountAt(bakery, { smtp, imap }, config))
    const ids = [yield* engine.send("ada@customer.example"), yield* engine.send("ada@customer.example")] as const
    yield* Effect.forEach(ids, engine.settled)
    const mailOf = (id: string) =>
      smtp.taken.find(({ mail }) => mail.messageId?.includes(id)) ?? expect.fail("was not sent")
    const bounce = (...given: Parameters<typeof aReport>) => {
      const body = aReport(...given)
      return engine.call({ method: "POST", path: "", query: {}, headers: headersOf(body), body })
    }
    return {
      mails: [mailOf(ids[0]), mailOf(ids[1])] as const,
      bounce,
      statuses: Effect.map(Effect.forEach(ids, engine.message), (messages) => messages.map(({ status }) => status))
    }
  })

/** What a mail server writes of a mail that it returns. */
const returned = ({
  envelope,
  mail
}: {
  readonly envelope: { readonly mailFrom: unknown }
  readonly mail: unknown
}) => {
  const { address } = envelope.mailFrom as { readonly address: string }
  return { returned: (mail as { readonly messageId: string }).messageId, headers: { To: address } }
}

describe("a bounce", () => {
  it.scopedLive("of a stranger who saw the Message-ID does not count, that of the recipient's server does", () =>
    Effect.gen(function* () {
      const { bounce, mails, statuses } = yield* sentMails({})
      const [mail] = mails
      yield* bounce("failed", { ...returned(mail), recipient: "rfc822; eve@evil.example" })
      yield* bounce("delivered", { ...returned(mail), recipient: "rfc822; eve@evil.example" })
      yield* bounce("failed", { ...returned(mail), original: "rfc822; eve@evil.example" })
      expect(yield* statuses).toEqual(["sent", "sent"])
      yield* bounce("failed", { ...returned(mail), recipient: "RFC822; <Ada@Customer.example>" })
      expect(yield* statuses).toEqual(["failed", "sent"])
    })
  )

  it.scopedLive("of a forwarded mail counts by the signed id of its envelope", () =>
    Effect.gen(function* () {
      const { bounce, mails, statuses } = yield* sentMails({})
      const envelope = mails[0].envelope as unknown as { readonly dsn: { readonly envid: string } }
      yield* bounce("failed", { envelopeId: envelope.dsn.envid, recipient: "rfc822; ada@elsewhere.example" })
      expect(yield* statuses).toEqual(["failed", "sent"])
    })
  )

  it.scopedLive("needs the signed id of its mail where mails have a return path of their own", () =>
    Effect.gen(function* () {
      const { bounce, mails, statuses } = yield* sentMails({ return_path: "hello+*@bakery.example" })
      const [first, second] = mails.map(returned) as [ReturnType<typeof returned>, ReturnType<typeof returned>]
      const altered = first.headers.To.replace(/.(?=@)/, (last) => (last === "0" ? "1" : "0"))
      yield* bounce("failed", { returned: first.returned })
      yield* bounce("failed", { returned: first.returned, headers: { To: altered } })
      yield* bounce("failed", { returned: second.returned, headers: first.headers })
      expect(yield* statuses).toEqual(["sent", "sent"])
      yield* bounce("failed", { returned: first.returned, headers: { To: first.headers.To.toUpperCase() } })
      expect(yield* statuses).toEqual(["failed", "sent"])
    })
  )
})
