import type { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { Effect, FastCheck as fc } from "effect"
import { simpleParser } from "mailparser"
import { describe, expect, it } from "vitest"
import { boundedText, maxTextBytes } from "../src/boundedText.js"
import { decodeQuotedPrintable } from "../src/quotedPrintable.js"
import { readMail } from "../src/readMail.js"
import { aMail } from "./mails.js"
import { turnsOf } from "./turnsOf.js"

const limits = { maxHeadSize: 262_144, maxChildNodes: 500 }
const bounded = (raw: Uint8Array, signal = new AbortController().signal) => buffer(boundedText(raw, limits, signal))
const parsed = async (raw: Readable | Buffer) => {
  const { attachments, headerLines, html, text } = await simpleParser(raw, { ...limits, keepCidLinks: true })
  const files = attachments.map(({ content, contentType, filename }) => ({ content, contentType, filename }))
  return { files, headerLines, html, text }
}
const read = (raw: Uint8Array) => Effect.runPromise(readMail(raw))

/** A mail of parts, each with headers and content. */
const mixed = (...parts: ReadonlyArray<readonly [headers: string, content: string]>) =>
  aMail(
    { "Content-Type": "multipart/mixed; boundary=b" },
    `${parts.map(([headers, content]) => `--b\r\n${headers}\r\n\r\n${content}\r\n`).join("")}--b--\r\n`
  )
const text = "Content-Type: text/plain"
const file = "Content-Type: text/csv\r\nContent-Disposition: attachment; filename=a.csv"
const nested = "Content-Type: multipart/mixed; boundary=c"
const large = "> \r\n".repeat(maxTextBytes / 2)

describe("the text of a mail", () => {
  it("is read as without a limit, with all else of the mail, where it is short", async () => {
    const lines = fc.array(
      fc.oneof(fc.string(), fc.constantFrom("--b", "--b--", "--c", "--c--", "", " x", text, file, nested))
    )
    const mails = fc.tuple(
      fc.constantFrom("X: y", text, file, nested.replace("=c", "=b")),
      lines,
      fc.constantFrom("\r\n", "\n")
    )
    const property = fc.asyncProperty(mails, async ([type, given, end]) => {
      // Parts within a part have a boundary: without one, they are a text.
      const lines = given.includes(nested) ? [...given, "--c", ""] : given
      const mail = (first: string) => Buffer.from(["From: a@b.example", first, "", ...lines].join(end))
      const hasParts = /\n--b\r?\n/.test(mail(type).toString("latin1"))
      const expected = mail(hasParts ? type : type.replace(/multipart\/mixed.*/, "text/plain"))
      const bounded = boundedText(mail(type), limits, new AbortController().signal)
      expect(await parsed(bounded)).toEqual(await parsed(expected))
    })
    const cutHeaders = ["--b", " x", text, "--b--", "--b"]
    await fc.assert(property, { numRuns: 300, examples: [[[nested.replace("=c", "=b"), cutHeaders, "\r\n"]]] })
  })
  it("is cut at the limit, over all parts", async () => {
    const mail = await read(mixed([text, "first"], [text, large], ["Content-Type: text/html", "<p>last</p>"]))
    expect(mail.text).toMatch(/^first\n/)
    expect(mail.text.length).toBeLessThanOrEqual(maxTextBytes)
    expect(mail.text).not.toContain("last")
  })
  it("is cut earlier where its charset or its format is slow to convert", async () => {
    for (const [type, factor] of [
      ["text/plain; charset=ISO-2022-JP", 8],
      ["text/plain; format=flowed", 2]
    ] as const) {
      const size = (await bounded(aMail({ "Content-Type": type }, "x\r\n".repeat(maxTextBytes)))).length
      expect(Math.abs(size - maxTextBytes / factor)).toBeLessThan(1_000)
    }
  })
  it("leaves attached files whole, and those after it", async () => {
    const mail = await read(mixed([file, large], [text, large], [file, large]))
    expect(mail.files.map(({ bytes }) => bytes.length)).toEqual([large.length, large.length])
  })
  it("is read no further once the reader gives up", async () => {
    const abort = new AbortController()
    const mail = boundedText(aMail({}, large), limits, abort.signal)
    mail.once("data", () => abort.abort())
    await expect(buffer(mail)).rejects.toThrow()
  })
})

describe("long headers of a mail", () => {
  const recipients = Array.from({ length: 10_000 }, (_, n) => `a${n}@b.example`)
  const raw = aMail(
    { To: recipients.join(",\r\n "), "Content-Type": "text/plain; charset=iso-8859-1" },
    Buffer.from("Grüße", "latin1")
  )

  it("are read, but not by the parser, which needs long for addresses", async () => {
    let headers: ReadonlyArray<string> = []
    const bytes = boundedText(raw, limits, new AbortController().signal, {
      onHeaders: (lines) => {
        headers = lines.map(({ key }) => key)
      }
    })
    const passed = (await buffer(bytes)).toString("latin1")
    expect(headers).toContain("to")
    expect(passed).not.toMatch(/^(To|From):/m)
    expect(passed).toMatch(/^Content-Type: text\/plain/m)
    const mail = await read(raw)
    expect(mail.addresses.to).toEqual(recipients)
    expect(mail.text).toBe("Grüße")
  })
  it("of a part are left out, and its file stays the same", async () => {
    const long = `To: ${"a:".repeat(10_000)}`
    const bytes = mixed([`${long}\r\n${file}`, "a;b"], [`${file}\r\n${long}`, "c;d"])
    expect((await bounded(bytes)).toString()).not.toContain("a:a:")
    const cut = aMail({ "Content-Type": "multipart/mixed; boundary=b" }, `--b\r\n${long}\r\n${file}\r\n--b--\r\n`)
    expect((await bounded(cut)).toString()).not.toContain("a:a:")
    expect((await read(bytes)).files).toMatchObject([
      { fileName: "a.csv", bytes: Buffer.from("a;b") },
      { fileName: "a.csv", bytes: Buffer.from("c;d") }
    ])
  })
})

describe("a quoted-printable file", () => {
  const encoding = "Content-Transfer-Encoding: quoted-printable"
  it.each([
    ["=C3=9C=3D =\r\nx  \r\n=20 \r\ny\t", "Ü= x\r\n \r\ny"],
    ["=c3=bc=\n=zz=4", "ü=zz=4"],
    ["a= \r\nb=", "ab"],
    ["", ""]
  ])("is decoded: %j", async (content, expected) => {
    const [found] = (await read(mixed([`${file}\r\n${encoding}`, content]))).files
    expect(Buffer.from(found?.bytes ?? []).toString()).toBe(expected)
  })
  it("keeps all bytes, whatever they are", async () => {
    const escaped = (bytes: Uint8Array) => [...bytes].map((byte) => `=${byte.toString(16).padStart(2, "0")}`).join("")
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        expect(await decodeQuotedPrintable(Buffer.from(escaped(bytes)))).toEqual(bytes)
      }),
      { numRuns: 50 }
    )
  })
  it("is decoded in many turns of the event loop where it is large", async () => {
    const bytes = Buffer.alloc(4_194_304, "=41")
    expect(await turnsOf(() => decodeQuotedPrintable(bytes))).toBeGreaterThanOrEqual(15)
  })
  it("is one only where the mail says so", async () => {
    const [found] = (await read(mixed([`${file}\r\nX-Parley-Still-Encoded: yes`, "=41"]))).files
    expect(Buffer.from(found?.bytes ?? []).toString()).toBe("=41")
  })
})
