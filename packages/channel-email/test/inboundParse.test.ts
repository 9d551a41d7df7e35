import { describe, expect, it } from "@effect/vitest"
import type { ProviderRequest } from "@parley/core"
import { Effect, Either } from "effect"
import { isFromInbound, postedMail } from "../src/inboundParse.js"
import { aMail } from "./mails.js"
import { turnsOf } from "./turnsOf.js"

const secret = "a secret of sixteen".replaceAll(" ", "-")

const aRequest = (headers: ProviderRequest["headers"], body: Uint8Array = aMail()): ProviderRequest => ({
  method: "POST",
  path: "",
  query: {},
  headers,
  body
})

const basic = (login: string) => `Basic ${Buffer.from(login).toString("base64")}`

describe("authentication of posted mail", () => {
  const isLetIn = (headers: ProviderRequest["headers"], inbound_secret: string | undefined = secret) =>
    isFromInbound(inbound_secret === undefined ? {} : { inbound_secret }, aRequest(headers))

  it("may give the secret as a token or as a password", () => {
    for (const authorization of [
      `Bearer ${secret}`,
      `bearer ${secret}`,
      basic(`parley:${secret}`),
      basic(`:${secret}`)
    ]) {
      expect(isLetIn({ authorization })).toBe(true)
    }
  })
  it("is refused with anything else", () => {
    const others = [
      "",
      "Bearer",
      `Bearer ${secret}x`,
      secret,
      basic(secret.slice(1)),
      basic(`${secret}:`),
      `Digest ${secret}`
    ]
    for (const authorization of others) expect(isLetIn({ authorization }), authorization).toBe(false)
    expect(isLetIn({})).toBe(false)
  })
  it("is refused with a wrong signature, whatever else is right", () => {
    expect(isLetIn({ "x-parley-signature": "sha256=00", authorization: `Bearer ${secret}` })).toBe(false)
  })
  it("is refused where the connection has no secret", () => {
    expect(isFromInbound({}, aRequest({ authorization: "Bearer undefined" }))).toBe(false)
    expect(isFromInbound({}, aRequest({ authorization: "Bearer " }))).toBe(false)
  })
})

describe("a posted mail", () => {
  // Bytes that are not UTF-8: a mail has a charset of its own.
  const mail = aMail({ "Content-Type": "text/plain; charset=iso-8859-1" }, Buffer.from("Grüße", "latin1"))

  const form = (fields: ReadonlyArray<readonly [disposition: string, value: Uint8Array]>): Buffer =>
    Buffer.concat([
      ...fields.flatMap(([disposition, value]) => [
        Buffer.from(`--edge\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
        value,
        Buffer.from("\r\n")
      ]),
      Buffer.from("--edge--\r\n")
    ])

  const posted = (contentType: string, body: Uint8Array) =>
    Effect.runPromise(Effect.either(postedMail(aRequest({ "content-type": contentType }, body))))

  it("is the body", async () => {
    for (const type of ["message/rfc822", "Message/RFC822; charset=x", "text/plain", "application/octet-stream"]) {
      expect(await posted(type, mail)).toEqual(Either.right(mail))
    }
  })
  it("is a field of a form, byte for byte, as services name it", async () => {
    for (const disposition of ['name="email"', 'name="body-mime"', 'name="email"; filename="mail.eml"']) {
      const body = form([
        ['name="subject"', Buffer.from("My order")],
        [disposition, mail],
        ['name="attachment"; filename="a.png"', Buffer.from([0, 1, 2])]
      ])
      const read = Either.getOrThrow(await posted("multipart/form-data; boundary=edge", body))
      expect(Buffer.from(read).equals(mail)).toBe(true)
    }
  })
  it("is a field of a form without files, byte for byte", async () => {
    const encoded = [...mail].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("")
    for (const [form, expected] of [
      [new URLSearchParams({ "body-mime": "From: Ünï + you\r\n\r\n100 %" }).toString(), "From: Ünï + you\r\n\r\n100 %"],
      ["body%2Dmime=later&x=y&email=first&email=second", "first"],
      ["email=a%2&x", "a%2"],
      [`subject=x&email=${encoded}`, mail.toString("latin1")]
    ] as const) {
      const read = Either.getOrThrow(await posted("application/x-www-form-urlencoded", Buffer.from(form)))
      expect(Buffer.from(read).toString(form.startsWith("subject") ? "latin1" : "utf8")).toBe(expected)
    }
  })
  it.each([
    [
      "multipart/form-data; boundary=edge",
      form([['name="attachment"; filename="a"', Buffer.alloc(8_388_608, "\r\n--")]])
    ],
    ["application/x-www-form-urlencoded", Buffer.from(`email=${"%41".repeat(2_796_202)}`)]
  ])("is read in many turns of the event loop where the form is large: %s", async (type, body) => {
    expect(await turnsOf(() => posted(type, body))).toBeGreaterThanOrEqual(7)
  })
  it("is missed where it is not there, in words that help", async () => {
    const parsed = form([['name="text"', Buffer.from("Is it ready?")]])
    const cut = form([['name="email"', mail]]).subarray(0, -20)
    const headless = Buffer.concat([Buffer.from("--edge\r\nContent-Dispos\r\n"), form([['name="email"', mail]])])
    for (const [type, body] of [
      ["multipart/form-data; boundary=edge", parsed],
      ["multipart/form-data; boundary=edge", headless],
      ["multipart/form-data; boundary=edge", cut],
      ["multipart/form-data", form([['name="email"', mail]])],
      ["application/x-www-form-urlencoded", Buffer.from("text=hi")],
      ["application/x-www-form-urlencoded", Buffer.from(`email=x${"&a=".repeat(500)}`)]
    ] as const) {
      expect(await posted(type, body)).toMatchObject({ left: { reason: expect.stringContaining("full MIME message") } })
    }
    expect(await posted("application/json", Buffer.from("{}"))).toMatchObject({ left: { _tag: "WebhookUnreadable" } })
  })
  it("is never a reason to fail", async () => {
    for (let end = 0; end < 120; end += 1) {
      await posted("multipart/form-data; boundary=edge", form([['name="email"', mail]]).subarray(0, end))
    }
  })
})
