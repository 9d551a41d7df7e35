import { createHmac } from "node:crypto"
import { describe, expect, it } from "@effect/vitest"
import { channelEngine } from "@parley/testkit"
import { Effect } from "effect"
import { email } from "../src/index.js"
import { accountAt, bakery, mailServers } from "./accounts.js"
import { aMail, aReport } from "./mails.js"

/** An engine to which mails can be posted. */
const receiving = Effect.gen(function* () {
  const servers = yield* mailServers(bakery)
  const engine = yield* channelEngine(email(), accountAt(bakery, servers))
  const post = (body: Buffer) => {
    const signature = `sha256=${createHmac("sha256", bakery.inboundSecret).update(body).digest("hex")}`
    const headers = { "content-type": "message/rfc822", "x-parley-signature": signature }
    return engine.call({ method: "POST", path: "", query: {}, headers, body })
  }
  const from = (handle: string) => Effect.map(engine.inbound(handle), (messages) => messages.map(({ body }) => body))
  return { ...servers, engine, from, post }
})

const ada = "ada@customer.example"

describe("a mail with the Message-ID of another mail", () => {
  it.scopedLive("is a message of its own, in any order, and each is stored once", () =>
    Effect.gen(function* () {
      const { from, post } = yield* receiving
      const forged = aMail({ From: "Eve <eve@evil.example>" }, "Nothing to see")
      const inHerName = aMail({}, "Send it elsewhere")
      const real = aMail({}, "Is it ready?")
      for (const mail of [forged, inHerName, real, real, forged, aMail({ Received: "by b.example" }, "Is it ready?")]) {
        yield* post(mail)
      }
      expect(yield* from("eve@evil.example")).toEqual(["Nothing to see"])
      expect([...(yield* from(ada))].sort()).toEqual(["Is it ready?", "Send it elsewhere"])
    })
  )

  it.scopedLive("takes no receipts of our mail, whose Message-ID it has", () =>
    Effect.gen(function* () {
      const { engine, post, smtp } = yield* receiving
      const id = yield* engine.send(ada)
      yield* engine.settled(id)
      const returned = smtp.taken[0]?.mail.messageId ?? expect.fail("was not sent")
      yield* post(aMail({ From: "eve@evil.example", "Message-ID": returned }))
      expect(yield* engine.inbound("eve@evil.example")).toMatchObject([{ status: "delivered" }])
      yield* post(aReport("failed", { returned }))
      expect(yield* engine.message(id)).toMatchObject({ status: "failed" })
      expect(yield* engine.inbound("eve@evil.example")).toMatchObject([{ status: "delivered" }])
    })
  )

  it.scopedLive("is never the one that the customer's answer quotes, nor is that of another customer", () =>
    Effect.gen(function* () {
      const { engine, post, smtp } = yield* receiving
      yield* post(aMail({ From: "eve@evil.example" }, "Nothing to see"))
      yield* post(aMail({}, "Is it ready?"))
      const [first] = yield* engine.inbound(ada)
      const answer = { "Message-ID": "<mail-2@customer.example>", "In-Reply-To": "<mail-1@customer.example>" }
      yield* post(aMail(answer, "Hello?"))
      const second = (yield* engine.inbound(ada)).find(({ body }) => body === "Hello?")
      expect(second?.envelope?.quoted).toMatchObject({ messageId: first?.id })
      yield* engine.settled(yield* engine.send(ada))
      expect(smtp.taken[0]?.mail).toMatchObject({
        inReplyTo: "<mail-2@customer.example>",
        references: ["<mail-1@customer.example>", "<mail-2@customer.example>"]
      })
    })
  )
})
