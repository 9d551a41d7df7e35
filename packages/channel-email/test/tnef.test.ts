import { Effect, FastCheck } from "effect"
import { describe, expect, it } from "vitest"
import { readMail } from "../src/readMail.js"
import { readTnef } from "../src/tnef.js"
import { aMail, multipart, part } from "./mails.js"

const number = (value: number, bytes: 2 | 4): Buffer => {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntLE(value, 0, bytes)
  return buffer
}
const padded = (bytes: Buffer): Buffer => Buffer.concat([bytes, Buffer.alloc((4 - (bytes.length % 4)) % 4)])

/** An attribute with its checksum, as Outlook writes it. */
const attribute = (level: 1 | 2, id: number, data: Buffer): Buffer =>
  Buffer.concat([
    Buffer.of(level),
    number(id, 4),
    number(data.length, 4),
    data,
    number(
      data.reduce((sum, byte) => (sum + byte) & 0xffff, 0),
      2
    )
  ])

const variable = (type: number, id: number, value: Buffer): Buffer =>
  Buffer.concat([number(type, 2), number(id, 2), number(1, 4), number(value.length, 4), padded(value)])
const text16 = (id: number, text: string): Buffer => variable(0x1f, id, Buffer.from(`${text}\0`, "utf16le"))
const text8 = (id: number, text: string): Buffer => variable(0x1e, id, Buffer.from(`${text}\0`, "latin1"))
const binary = (id: number, value: Buffer): Buffer => variable(0x102, id, value)
const integer = (id: number): Buffer => Buffer.concat([number(3, 2), number(id, 2), number(7, 4)])
const properties = (...all: ReadonlyArray<Buffer>): Buffer => Buffer.concat([number(all.length, 4), ...all])

/** Properties of forms that are passed over: with a name, with several values, of fixed length. */
const others: ReadonlyArray<Buffer> = [
  integer(0x3705),
  Buffer.concat([number(0x0b, 2), number(0x8001, 2), Buffer.alloc(16), number(0, 4), number(9, 4), number(1, 4)]),
  Buffer.concat([
    ...[number(0x1e, 2), number(0x8002, 2), Buffer.alloc(16), number(1, 4), number(6, 4), padded(Buffer.alloc(6))],
    ...[number(1, 4), number(2, 4), padded(Buffer.from("a\0"))]
  ]),
  Buffer.concat([number(0x1014, 2), number(0x4000, 2), number(2, 4), Buffer.alloc(16)])
]

const aTnef = (...attributes: ReadonlyArray<Buffer>): Buffer =>
  Buffer.concat([number(0x223e9f78, 4), number(1, 2), attribute(1, 0x00089006, number(0x10000, 4)), ...attributes])
const file = (title: string, data: string | null, ...more: ReadonlyArray<Buffer>): ReadonlyArray<Buffer> => [
  attribute(2, 0x00069002, Buffer.alloc(14)),
  attribute(2, 0x00018010, Buffer.from(`${title}\0`)),
  ...(data === null ? [] : [attribute(2, 0x0006800f, Buffer.from(data))]),
  attribute(2, 0x00069005, properties(...others, ...more))
]

const filesOf = (tnef: ReturnType<typeof readTnef>) =>
  tnef?.files.map(({ bytes, ...rest }) => ({ ...rest, content: Buffer.from(bytes).toString() }))

const mailWith = (tnef: Buffer, text: string, type = "application/ms-tnef") => {
  const [headers, body] = multipart("mixed", [
    part("text/plain", text),
    part(`${type}; name="winmail.dat"`, tnef.toString("base64"), "Content-Transfer-Encoding: base64"),
    part("image/png", "picture")
  ])
  return Effect.runPromise(readMail(aMail(headers, body)))
}

describe("a winmail.dat", () => {
  it("has files with their long names and types", () => {
    const tnef = aTnef(
      attribute(1, 0x00069007, number(1251, 4)),
      ...file("ORDER~1.PDF", "pdf", text16(0x3707, "Ordre №1.pdf"), text8(0x370e, "Application/PDF")),
      ...file("short.png", "png"),
      ...file("x", "any", text8(0x3707, "\xcf.unheard"), text8(0x370e, "not a type")),
      ...file("inside.txt", null, binary(0x3701, Buffer.from("bytes")))
    )
    expect(filesOf(readTnef(tnef))).toEqual([
      { fileName: "Ordre №1.pdf", contentType: "application/pdf", content: "pdf" },
      { fileName: "short.png", contentType: "image/png", content: "png" },
      { fileName: "П.unheard", contentType: "application/octet-stream", content: "any" },
      { fileName: "inside.txt", contentType: "text/plain", content: "bytes" }
    ])
  })
  it("gives a mail its files in its place", async () => {
    for (const type of ["application/ms-tnef", "application/vnd.ms-tnef", "application/octet-stream"]) {
      const { files, text } = await mailWith(aTnef(...file("a.txt", "a"), ...file("b.txt", "b")), "Hello", type)
      expect(files.map(({ fileName }) => fileName)).toEqual(["a.txt", "b.txt", null])
      expect(text).toBe("Hello")
    }
  })
  it("gives a mail without text its text, else its HTML", async () => {
    const html = binary(0x1013, Buffer.from("<p>Hello <b>you</b></p>"))
    const inBody = aTnef(attribute(1, 0x0002800c, Buffer.from("Hello\0")))
    const asText = aTnef(attribute(1, 0x00069003, properties(text16(0x1000, "Grüße"), html)))
    const asHtml = aTnef(attribute(1, 0x00069003, properties(html)))
    expect((await mailWith(inBody, "")).text).toBe("Hello")
    expect((await mailWith(asText, "")).text).toBe("Grüße")
    expect((await mailWith(asHtml, "")).text).toBe("Hello you")
    expect((await mailWith(asHtml, "Mine")).text).toBe("Mine")
  })
  it("stays beside its files where they are not all of it", async () => {
    const item = Buffer.concat([Buffer.alloc(16), aTnef()])
    for (const more of [
      file("Meeting", null, variable(0x0d, 0x3701, item)),
      [attribute(1, 0x00069003, properties(binary(0x1009, Buffer.from("rtf"))))]
    ]) {
      const { files } = await mailWith(aTnef(...file("a.txt", "a"), ...more), "Hello")
      expect(files.map(({ fileName }) => fileName)).toEqual(["a.txt", "winmail.dat", null])
    }
  })
  it("stays a file where it is broken", async () => {
    const whole = aTnef(...file("a.txt", "a", text8(0x370e, "text/plain")))
    const broken = [
      Buffer.alloc(0),
      Buffer.from("something else"),
      whole.subarray(0, -1),
      whole.subarray(0, 40),
      aTnef(attribute(1, 0x00069003, properties(number(0x7777, 4)))),
      aTnef(attribute(1, 0x00069003, number(0xffffffff, 4))),
      aTnef(
        attribute(1, 0x00069003, properties(Buffer.concat([number(0x1048, 2), number(1, 2), number(0xffffffff, 4)])))
      ),
      aTnef(...Array.from({ length: 101 }, (_, at) => file(`${at}`, "a")).flat())
    ]
    for (const bytes of broken) {
      expect(readTnef(bytes)).toBeNull()
      const { files } = await mailWith(bytes, "Hello")
      expect(files[0]?.fileName).toBe("winmail.dat")
      expect(Buffer.from(files[0]?.bytes ?? [])).toEqual(Buffer.from(bytes))
    }
  })
  it("never holds more than it has, whatever bytes it has", () => {
    const whole = aTnef(...file("a.txt", "a".repeat(50), text16(0x3707, "b.txt")))
    const change = FastCheck.tuple(FastCheck.nat(whole.length - 1), FastCheck.nat(255))
    FastCheck.assert(
      FastCheck.property(FastCheck.array(change, { maxLength: 8 }), (changed) => {
        const bytes = Buffer.from(whole)
        for (const [at, byte] of changed) bytes[at] = byte
        const read = readTnef(bytes)
        for (const file of read?.files ?? []) expect(file.bytes.buffer).toBe(bytes.buffer)
        expect((read?.files ?? []).reduce((sum, file) => sum + file.bytes.length, 0)).toBeLessThanOrEqual(bytes.length)
      })
    )
  })
})
