import type { InboundEvent } from "@parley/core"
import { Effect, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { bodyText } from "../src/bodyText.js"
import type { Business } from "../src/EmailAccount.js"
import { mailEvents } from "../src/mailEvents.js"
import { aMail } from "./mails.js"

const bakery: Business = {
  address: "hello@bakery.example",
  name: "The Bakery",
  config: { smtp: { host: "localhost" } }
}

const only = async (raw: Uint8Array): Promise<InboundEvent> => {
  const events = await Effect.runPromise(mailEvents(bakery, raw, 0))
  expect(events).toHaveLength(1)
  return events[0] as InboundEvent
}

const nested = (depth: number): Buffer => {
  const open = (at: number) => `Content-Type: multipart/mixed; boundary=b${at}\r\n\r\n--b${at}\r\n`
  const inner = Array.from({ length: depth - 1 }, (_, at) => open(at + 1)).join("")
  const closed = Array.from({ length: depth }, (_, at) => `--b${depth - 1 - at}--\r\n`).join("")
  const body = `--b0\r\n${inner}Content-Type: text/plain\r\n\r\ndeep\r\n${closed}`
  return aMail({ "Content-Type": "multipart/mixed; boundary=b0" }, body)
}

// What is bounded is how much of each is read, not how fast: none of these would end in the time of a test otherwise.
describe("a mail that is built to be expensive", () => {
  it("is kept unread where its headers are longer than any mail needs", async () => {
    const event = await only(aMail({ "X-Many": "b\r\nX-Many: b".repeat(100_000) }))
    expect(event).toMatchObject({ _tag: "Unknown", kind: "unreadable" })
    expect(event._tag === "Unknown" && event.raw.length).toBe(64 * 1024)
    for (const name of ["From", "Authentication-Results"]) {
      expect(await only(aMail({ [name]: `ada@x.example${" ".repeat(300_000)}` }))).toMatchObject({ kind: "unreadable" })
    }
  })
  it("is read without a header that is longer than any mail needs", async () => {
    const folded = "a\r\n b".repeat(1_000_000)
    for (const [name, value] of [
      ["X-Long", "a".repeat(5_000_000)],
      ["X-Folded", folded],
      ["To", folded]
    ] as const) {
      for (const last of [{}, { "X-Last": "x" }]) {
        const event = await only(aMail({ [name]: value, ...last }))
        expect(event).toMatchObject({ from: "Ada@Customer.example", subject: "My order", body: "Is it ready?" })
      }
    }
  })
  it("is read whatever one of its headers is", async () => {
    const name = FastCheck.constantFrom(
      ...[
        "To",
        "Cc",
        "Reply-To",
        "Sender",
        "Subject",
        "Date",
        "Message-ID",
        "References",
        "In-Reply-To",
        "MIME-Version"
      ],
      ...[
        "Content-Type",
        "Content-Transfer-Encoding",
        "Content-Disposition",
        "Return-Path",
        "X-Original-From",
        "List-Id"
      ],
      ...["List-Post", "Authentication-Results", "Auto-Submitted", "Precedence", "Received", "X"]
    )
    const piece = FastCheck.constantFrom(
      ...[
        "<",
        ">",
        "@",
        '"',
        "(",
        ")",
        ";",
        ":",
        ",",
        "=",
        "\\",
        "\0",
        "\u00ff",
        "\r\n ",
        "%",
        "'",
        "=?utf-8?b?",
        "?="
      ],
      ...["text/plain", "multipart/mixed", "charset", "boundary", "base64", "attachment", "filename*0*", "99999999999"]
    )
    await FastCheck.assert(
      FastCheck.asyncProperty(name, FastCheck.array(piece, { maxLength: 12 }), async (name, pieces) => {
        const [event] = await Effect.runPromise(mailEvents(bakery, aMail({ [name]: pieces.join("") }), 0))
        expect(event).toMatchObject({ _tag: "Message", from: "Ada@Customer.example" })
      }),
      { numRuns: 300 }
    )
  })
  it("is kept unread where it has ten thousand parts", async () => {
    const parts = "--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n".repeat(10_000)
    const raw = aMail({ "Content-Type": "multipart/mixed; boundary=x" }, `${parts}--x--\r\n`)
    expect(await only(raw)).toMatchObject({ kind: "unreadable" })
  })
  it("is read where more lines begin as boundaries do than are looked at", async () => {
    const lines = Array.from({ length: 30_000 }, (_, n) => `--y${n}\r\n`).join("")
    const parts = `--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x\r\nContent-Type: text/plain\r\n\r\n${lines}`
    const raw = aMail({ "Content-Type": "multipart/mixed; boundary=x" }, `${parts}--x--\r\n`)
    expect(await only(raw)).toMatchObject({ _tag: "Message", body: expect.stringMatching(/^hi\s+--y0\s/) })
  })
  it("is read a hundred parts deep, and kept unread a thousand", async () => {
    expect(await only(nested(100))).toMatchObject({ _tag: "Message", body: "deep" })
    expect(await only(nested(1_000))).toMatchObject({ kind: "unreadable" })
  })
  it("is read where its HTML is nested without end, with all of it as a file", async () => {
    const html = `<p>Hello</p>${"<b>".repeat(300_000)}`
    const event = await only(aMail({ "Content-Type": "text/html" }, html))
    expect(event).toMatchObject({ _tag: "Message", body: expect.stringMatching(/^Hello/) })
    expect(event).toMatchObject({ attachments: [{ contentType: "text/html", fileName: "message.html" }] })
  })
  it("is read where HTML is opened and never closed, or closed and never opened", () => {
    for (const html of ["<".repeat(900_000), "</p>".repeat(200_000), "<!--".repeat(200_000), "&lt;".repeat(200_000)]) {
      expect(bodyText("", html).body.length).toBeLessThanOrEqual(900_000)
    }
  })
  it("is read where a part is as large as a mail may be", async () => {
    const base64 = `${"A".repeat(76)}\r\n`.repeat(300_000)
    const event = await only(
      aMail({ "Content-Type": "application/zip; name=a.zip", "Content-Transfer-Encoding": "base64" }, base64)
    )
    expect(event).toMatchObject({ _tag: "Message", body: "", attachments: [{ fileName: "a.zip" }] })
  })
  it("is read where a part has a header for its type, and nothing in it", async () => {
    const parts = "--x\r\nContent-Type: text/plain\r\n\r\nhi\r\n--x\r\nContent-Type:"
    const event = await only(aMail({ "Content-Type": "multipart/mixed; boundary=x" }, parts))
    expect(event).toMatchObject({ body: "hi", attachments: [{ contentType: "application/octet-stream" }] })
  })
  it("is read where it has forty thousand senders", async () => {
    expect(await only(aMail({ From: "a@b.example,\r\n ".repeat(10_000) }))).toMatchObject({ from: "a@b.example" })
  })
})
