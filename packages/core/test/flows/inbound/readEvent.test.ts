import { aConnection, channelsNamed, interfaceChannels, someTime } from "@parley/testkit/rows"
import { Either } from "effect"
import { describe, expect, it } from "vitest"
import { maxMessageLength, readEvent } from "../../../src/flows/inbound/readEvent.js"
import { toUnknownEvent } from "../../../src/flows/inbound/toUnknownEvent.js"
import type { Connection } from "../../../src/model/Connection.js"
import { InboundEvent } from "../../../src/model/InboundEvent.js"
import { day, hour, minute } from "../../../src/model/Instant.js"

const now = someTime
const any = {
  channels: channelsNamed(...interfaceChannels),
  parseHandle: (_: unknown, handle: string) => Either.right(handle)
}
const message = (given: Partial<InboundEvent & { readonly _tag: "Message" }> = {}) =>
  InboundEvent.Message({
    providerMessageId: "in-1",
    from: "+49 170 1234567",
    body: "hello",
    subject: null,
    displayName: null,
    attachments: [],
    automatic: false,
    ...given
  })
const receipt = (at: number, id = "p-1", messageId: string | null = null) =>
  InboundEvent.Receipt({
    providerMessageId: id,
    messageId,
    receipt: {
      status: "failed",
      at,
      error: {
        code: "provider_error",
        message: "Not\u0000 there.",
        provider: { code: "4\u000004", message: "gone\ud800".padEnd(2_000, "!") }
      }
    }
  })
const read = (event: InboundEvent, on: Partial<Connection> = {}, provider: typeof any | undefined = any) =>
  readEvent(aConnection(on), provider, event, now)
const right = (event: InboundEvent, on: Partial<Connection> = {}) => Either.getOrThrow(read(event, on))
const left = (event: InboundEvent, on: Partial<Connection> = {}) => Either.getOrThrow(Either.flip(read(event, on)))

describe("an event of a provider", () => {
  it("is refused if it has an unknown tag, or is a receipt of another status", () => {
    expect(left({ _tag: "Delivery" } as unknown as InboundEvent)).toBe("it is no event that this version knows")
    const undelivered = { ...receipt(1), receipt: { status: "undelivered", at: 1, error: null } }
    expect(left(undelivered as unknown as InboundEvent)).toBe(
      "the status must be one of sent, delivered, read and failed"
    )
  })
  it("has an error of our catalogue, or none, on a receipt", () => {
    const withError = (error: unknown) =>
      right({ ...receipt(1), receipt: { status: "failed", at: 1, error } } as InboundEvent)
    const error = { code: "30003", message: "Unreachable." }
    expect(withError(error)).toMatchObject({ receipt: { error: { ...error, code: "provider_error" } } })
    expect(withError(undefined)).toMatchObject({ receipt: { error: null } })
  })
  it("is stored raw as text, whatever the provider gives", () => {
    const unknown = (given: object) => right({ _tag: "Unknown", ...given } as InboundEvent)
    expect(unknown({ kind: "news", raw: { a: 1 } })).toMatchObject({ kind: "news", raw: '{"a":1}' })
    expect(unknown({})).toMatchObject({ kind: "undefined", raw: "null" })
  })
  it("is kept as unknown even if it has no JSON", () => {
    const circular: { [field: string]: unknown } = { _tag: "Message", size: 1n }
    circular.self = circular
    const problem = "failed unexpectedly"
    for (const [given, kind] of [
      [circular, "message"],
      [undefined, "undefined"],
      ["text", "undefined"]
    ] as const) {
      const kept = toUnknownEvent(given as unknown as InboundEvent, problem)
      expect([kept.kind, JSON.parse(kept.raw)]).toEqual([kind, expect.objectContaining({ problem })])
    }
  })
  it("of a message that was under way for 5 minutes to 8 days has its time, any other that of now", () => {
    const timeOf = (at: number) => (right(message({ at })) as { readonly at?: number }).at
    expect([5 * minute, 8 * day].map((delay) => timeOf(now - delay))).toEqual([now - 5 * minute, now - 8 * day])
    expect(timeOf(now - hour - 0.5)).toBe(now - hour - 1)
    for (const at of [now + 1, now - 5 * minute + 1, now - 8 * day - 1, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(timeOf(at)).toBe(now)
    }
    expect(right(message())).not.toHaveProperty("at")
  })
  it("has its handles normalised by the channel, then by the provider", () => {
    expect(right(message())).toMatchObject({ from: "+491701234567" })
    expect(
      right(InboundEvent.OptOut({ handle: " Ada@Example.org", scope: "all", optedOut: true }), { channel: "email" })
    ).toMatchObject({ handle: "ada@example.org" })
    expect(right(InboundEvent.HandleChanged({ from: "0049170123456", to: "+49 171 1234567" }))).toMatchObject({
      from: "+49170123456",
      to: "+491711234567"
    })
    const grouped = {
      channels: channelsNamed("telegram"),
      parseHandle: (_: unknown, handle: string) =>
        handle.startsWith("-") ? Either.left("must be a person") : Either.right(handle)
    }
    expect(readEvent(aConnection({ channel: "telegram" }), grouped, message({ from: "-100" }), now)).toEqual(
      Either.left("the handle must be a person")
    )
    expect(Either.isRight(read(message(), {}, undefined))).toBe(true)
  })
  it("is refused without a storable handle", () => {
    for (const from of ["", "nobody", "+49\u0000170"]) expect(left(message({ from }))).toMatch(/^the handle must be/)
    for (const from of ["x".repeat(256), "a\u0000b", "\ud800", "a\nb"])
      expect(left(message({ from }), { channel: "telegram" })).toMatch(/^the handle must be text/)
  })
  it("is refused without a storable message id", () => {
    for (const id of ["", " ", "x".repeat(513), "a\u0000"]) {
      expect(left(message({ providerMessageId: id }))).toBe("the message's id must be text of 1 to 512 characters")
      expect(left(receipt(now, id))).toBe("the message's id must be text of 1 to 512 characters")
    }
  })
  it("is refused without a storable template name and language", () => {
    const news = (name: string, language = "en") => InboundEvent.TemplateStatus({ name, language, status: "approved" })
    expect(right(news("order_ready"))).toEqual(news("order_ready"))
    for (const wrong of ["", "x".repeat(513), "a\u0000", "\ud800"]) {
      expect(left(news(wrong))).toMatch(/^the template's name and language must be/)
      expect(left(news("order_ready", wrong))).toMatch(/^the template's name and language must be/)
    }
  })
  it("accepts only a UUID as our message id of a receipt", () => {
    const about = (messageId: string) => right(receipt(now, "p-1", messageId))
    expect(about("01980000-0000-7000-8000-00000000000A")).toMatchObject({
      messageId: "01980000-0000-7000-8000-00000000000a"
    })
    for (const other of ["order 42", "", "\ud800"]) expect(about(other)).toMatchObject({ messageId: null })
  })
  it("has unstorable characters removed from its texts", () => {
    expect(
      right(message({ body: "a\u0000\ud800b", subject: " Re:\u0000 it ", displayName: " Ada\u0000 " }))
    ).toMatchObject({
      body: "ab",
      subject: "Re: it",
      displayName: "Ada"
    })
    expect(right(message({ subject: " ", displayName: "\u0000" }))).toMatchObject({ subject: null, displayName: null })
    const provider = { code: "404", message: "gone".padEnd(1_000, "!") }
    expect(right(receipt(1))).toMatchObject({ receipt: { error: { message: "Not there.", provider } } })
  })
  it("is truncated to the limits of a stored message", () => {
    const attachment = { type: "image" as const, contentType: null, fileName: null, content: { reference: "m" } }
    const long = right(
      message({
        body: "x".repeat(100_001),
        attachments: Array.from({ length: 101 }, () => attachment),
        displayName: "x".repeat(101)
      })
    )
    expect(long).toMatchObject({ body: "x".repeat(maxMessageLength.body), displayName: "x".repeat(100) })
    expect(long._tag === "Message" && long.attachments.length).toBe(maxMessageLength.files)
  })
  it("has a future time replaced by now, and is refused without a valid time", () => {
    expect(right(receipt(now + 5_000))).toMatchObject({ receipt: { at: now } })
    expect(right(receipt(Number.POSITIVE_INFINITY))).toMatchObject({ receipt: { at: now } })
    expect(right(receipt(1_700_000_000_000.6))).toMatchObject({ receipt: { at: 1_700_000_000_000 } })
    const read = (upTo: number) => InboundEvent.Watermark({ handle: "+491701234567", status: "read", upTo })
    expect(right(read(now + 1))).toMatchObject({ upTo: now })
    for (const at of [Number.NaN, -1]) {
      expect(left(receipt(at))).toBe("the time must be a moment")
      expect(left(read(at))).toBe("the time must be a moment")
    }
  })
  it("has a future or unreadable time of an opt-out or a template's status replaced by now", () => {
    const preference = { handle: "+491701234567", scope: "all", optedOut: true } as const
    const news = { name: "order_ready", language: "en", status: "approved" } as const
    for (const [given, at] of [
      [now - 1.5, now - 2],
      [now + 1, now],
      [-1, now],
      [Number.NaN, now]
    ] as const) {
      expect(right(InboundEvent.OptOut({ ...preference, at: given }))).toEqual(
        InboundEvent.OptOut({ ...preference, at })
      )
      expect(right(InboundEvent.TemplateStatus({ ...news, at: given }))).toEqual(
        InboundEvent.TemplateStatus({ ...news, at })
      )
    }
    expect(right(InboundEvent.OptOut(preference))).toEqual(InboundEvent.OptOut(preference))
  })
  it("stored as unknown contains the reason and no file bytes", () => {
    const content = new Uint8Array(3)
    const { kind, raw } = toUnknownEvent(
      message({ attachments: [{ type: "image", contentType: null, fileName: null, content }] }),
      "the handle must be a person"
    )
    expect(kind).toBe("message")
    expect(JSON.parse(raw)).toMatchObject({
      problem: "the handle must be a person",
      body: "hello",
      attachments: [{ content: "3 bytes" }]
    })
    expect(toUnknownEvent(InboundEvent.HandleChanged({ from: "a", to: "b" }), "").kind).toBe("handle_changed")
  })
})
