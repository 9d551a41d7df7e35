import { Effect, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { isAuthenticated } from "../src/authentication.js"
import { readMail } from "../src/readMail.js"
import { aMail } from "./mails.js"

const server = "mx.bakery.example"
const forged = `${server}; dmarc=pass header.from=customer.example; spf=pass smtp.mailfrom=customer.example`

/** Whether a mail of ada@customer.example with these headers, the topmost first, has a proven sender. */
const judged = async (results: ReadonlyArray<string>, headers: Parameters<typeof aMail>[0] = {}) => {
  const added = results.map((result) => `Authentication-Results: ${result}\r\n`).join("")
  const mail = await Effect.runPromise(readMail(Buffer.concat([Buffer.from(added), aMail(headers)])))
  return isAuthenticated(mail, server)
}

describe("a sender is proven", () => {
  const proofs = [
    "dmarc=pass header.from=customer.example",
    "spf=none smtp.mailfrom=other.example; dkim=fail header.d=customer.example; dmarc=pass (p=none) header.from=Customer.EXAMPLE",
    "dkim=pass header.d=customer.example header.s=2026",
    "dkim=pass header.i=@customer.example header.s=2026 header.b=abc",
    "dmarc=none header.from=customer.example; spf=pass smtp.mailfrom=bounces@customer.example",
    'dmarc/1=pass reason="policy; dmarc=fail" header.from=customer.example',
    "spf=pass (sender is <>) smtp.helo=mx.customer.example"
  ]
  it.each(proofs)("by %s", async (results) => {
    expect(await judged([`${server}; ${results}`])).toBe(true)
    expect(await judged([`(by (us)) MX.bakery.example 1 ;\r\n\t${results}`])).toBe(true)
  })
  it("by the topmost header of the server, below those of others", async () => {
    expect(await judged(["relay.example; dmarc=fail", forged])).toBe(true)
  })
})

describe("a sender is not proven", () => {
  const nothing = [
    "",
    "none",
    "dmarc=fail header.from=customer.example",
    "dmarc=fail header.from=customer.example; dkim=pass header.d=customer.example",
    "dmarc=temperror header.from=customer.example; spf=pass smtp.mailfrom=customer.example",
    "dmarc=pass header.from=evil.example",
    "dmarc=pass",
    "dkim=pass header.d=evil.example",
    "dkim=fail header.d=customer.example",
    "dkim=pass",
    "spf=pass smtp.mailfrom=customer.example@evil.example",
    "spf=pass smtp.mailfrom=ada=customer.example@evil.example",
    "spf=pass smtp.helo=customer.example.evil.example",
    "spf=pass smtp.helo=evilcustomer.example",
    "auth=pass smtp.auth=ada@customer.example",
    // Results in comments and in quoted strings are not results.
    "spf=fail (dmarc=pass header.from=customer.example; dmarc=pass header.from=customer.example)",
    'spf=fail reason="; dmarc=pass header.from=customer.example"',
    'spf=fail reason="\\"; dmarc=pass header.from=customer.example"',
    "spf=fail (\\); dmarc=pass header.from=customer.example",
    "spf=fail (not closed; dmarc=pass header.from=customer.example"
  ]
  it.each(nothing)("by %s", async (results) => {
    expect(await judged([`${server}; ${results}`])).toBe(false)
  })
  it("by a header that a sender wrote below that of the server", async () => {
    expect(await judged([`${server}; dmarc=fail header.from=customer.example`, forged])).toBe(false)
    expect(await judged([`${server}; none`, forged, forged])).toBe(false)
  })
  it("by a header of another server, or by none", async () => {
    for (const other of ["mx.evil.example", `x${server}`, `${server}.evil.example`, `evil.example ${server}`]) {
      expect(await judged([forged.replace(server, other)]), other).toBe(false)
    }
    expect(await judged([])).toBe(false)
  })
  it("if the mail names several senders, of which the server checked another", async () => {
    expect(await judged([forged], { From: "ada@customer.example, eve@evil.example" })).toBe(false)
    expect(await judged([forged], { "X-A": "b\r\nFrom: eve@evil.example" })).toBe(false)
    expect(await judged([forged], { From: "" })).toBe(false)
  })
  it("by any other text", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(FastCheck.string({ unit: "grapheme-ascii", maxLength: 60 }), async (text) => {
        expect(await judged([`${server}; ${text.replace(/[\r\n]/g, " ")}`])).toBe(false)
      }),
      { numRuns: 50 }
    )
  })
})
