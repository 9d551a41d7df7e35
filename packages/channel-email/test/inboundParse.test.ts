import { describe, expect, it } from "@effect/vitest"
import type { ProviderRequest } from "@parley/core"
import { Effect, Either } from "effect"
import { isFromInbound, postedMail } from "../src/inboundParse.js"
import { aMail } from "./mails.js"

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

  const posted = (contentType: string, body: Uint8Array) => postedMail(aRequest({ "content-type": contentType }, body))

  it("is the body", () => {
    for (const type of ["message/rfc822", "Message/RFC822; charset=x", "text/plain", "application/octet-stream"]) {
      expect(posted(type, mail)).toEqual(Either.right(mail))
    }
  })
  it("is a field of a form, byte for byte, as services name it", () => {
    for (const disposition of ['name="email"', 'name="body-mime"', 'name="email"; filename="mail.eml"']) {
      const body = form([
        ['name="subject"', Buffer.from("My order")],
        [disposition, mail],
        ['name="attachment"; filename="a.png"', Buffer.from([0, 1, 2])]
      ])
      const read = Either.getOrThrow(posted("multipart/form-data; boundary=edge", body))
      expect(Buffer.from(read).equals(mail)).toBe(true)
    }
  })
  it("is a field of a form without files", () => {
    const body = Buffer.from(new URLSearchParams({ "body-mime": "From: Ünï\r\n\r\nhi" }).toString())
    const read = Either.getOrThrow(posted("application/x-www-form-urlencoded", body))
    expect(Buffer.from(read).toString()).toBe("From: Ünï\r\n\r\nhi")
  })
  it("is missed where it is not there, in words that help", () => {
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
      expect(posted(type, body)).toMatchObject({ left: { reason: expect.stringContaining("full MIME message") } })
    }
    expect(posted("application/json", Buffer.from("{}"))).toMatchObject({ left: { _tag: "WebhookUnreadable" } })
  })
  it.effect("is never a reason to fail", () =>
    Effect.sync(() => {
      for (let end = 0; end < 120; end += 1) {
        posted("multipart/form-data; boundary=edge", form([['name="email"', mail]]).subarray(0, end))
      }
    })
  )
})
