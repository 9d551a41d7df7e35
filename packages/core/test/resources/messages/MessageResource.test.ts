import { describe, expect, it } from "@effect/vitest"
import { aMessage, anEvent } from "@parley/testkit/rows"
import { Schema } from "effect"
import { withVisibleQuote } from "../../../src/flows/webhooks/withVisibleQuote.js"
import { type Message, MessageResource, messageResource } from "../../../src/index.js"
import { unlinked } from "../../../src/resources/attachments/fileLink.js"
import { AdminMessageResource, encodeMessage } from "../../../src/resources/messages/MessageResource.js"

const outbound = aMessage({ id: "01900000-0000-7000-8000-0000000000aa", externalReference: "order-1" })
const inbound: Message = aMessage({
  id: "01900000-0000-7000-8000-0000000000bb",
  direction: "inbound",
  status: "failed",
  receivedAt: 1_780_000_000_123,
  sentAt: 1_780_000_000_001,
  deliveredAt: 1_780_000_000_002,
  readAt: 0,
  error: {
    code: "provider_error",
    message: "The provider refused it.",
    provider: { code: "131026", message: "For administrators alone" }
  },
  attachments: [
    { id: "a", type: "image", contentType: "image/png", fileName: null, size: 12 },
    { id: "b", type: "document", contentType: "application/pdf", fileName: "bill.pdf", size: 0 },
    { id: "c", type: "voice", contentType: "audio/ogg", fileName: null, size: 9, duration: 7 }
  ]
})

describe("encodeMessage", () => {
  it("encodes like the schema of the resource", () => {
    for (const message of [outbound, inbound]) {
      const bySchema = Schema.encodeSync(MessageResource)(messageResource(message, unlinked, null))
      expect(encodeMessage(message)).toStrictEqual(bySchema)
      expect(JSON.stringify(bySchema)).not.toMatch(/131026|administrators/)
    }
  })
})

describe("the message of the administration", () => {
  it("has the vendor's code and message, null if unknown", () => {
    const error = { code: "provider_error", message: "Rejected." } as const
    const errorOf = (message: Message) =>
      Schema.encodeSync(AdminMessageResource)(messageResource(message, unlinked, null)).error
    expect(errorOf(inbound)).toEqual(inbound.error)
    expect(errorOf({ ...inbound, error })).toEqual({ ...error, provider: null })
    expect(errorOf({ ...inbound, error: null })).toBeNull()
  })
})

describe("content and envelope", () => {
  const application = "01900000-0000-7000-8000-0000000000cc"
  const rich = aMessage({
    id: "01900000-0000-7000-8000-0000000000dd",
    direction: "inbound",
    type: "location",
    subject: "Where we are",
    body: "52.5, 13.4",
    content: { type: "location", latitude: 52.5, longitude: 13.4, name: null, address: null, url: null },
    envelope: {
      quoted: { messageId: outbound.id, providerMessageId: "wamid.1", applicationId: application, body: null },
      forwarded: true,
      referral: {
        source: "ad",
        sourceId: "120",
        clickId: "click",
        headline: "Bread",
        body: null,
        url: "https://example.com",
        ref: null
      },
      groupId: "album",
      mail: { from: "Ada <ada@example.com>", to: ["shop@example.com"], cc: [], replyTo: ["list@example.com"] },
      fullText: "Yes.\n> Is it?"
    }
  })

  it("are in events as in answers, except that a quote names its owner", () => {
    const bySchema = Schema.encodeSync(MessageResource)(messageResource(rich, unlinked, application))
    const { quoted, ...rest } = encodeMessage(rich)
    expect({ ...rest, quoted: { ...quoted, application_id: undefined } }).toEqual({
      ...bySchema,
      quoted: { ...bySchema.quoted, application_id: undefined }
    })
    expect(quoted).toMatchObject({ message_id: outbound.id, application_id: application })
  })

  it("name a quoted message only to those who may see it", () => {
    const idFor = (viewer: string | null) => messageResource(rich, unlinked, viewer).quoted
    const other = "01900000-0000-7000-8000-0000000000ee"
    expect(idFor(application)?.messageId).toBe(outbound.id)
    expect(idFor(null)?.messageId).toBe(outbound.id)
    expect(idFor(other)).toEqual({ messageId: null, providerMessageId: "wamid.1", body: null })
    const event = anEvent({
      id: outbound.id,
      type: "message.received",
      data: JSON.stringify({ message: encodeMessage(rich) })
    })
    const shownTo = (viewer: string) => JSON.parse(withVisibleQuote(event, viewer).data).message.quoted
    expect(shownTo(application)).toEqual({ message_id: outbound.id, provider_message_id: "wamid.1", body: null })
    expect(shownTo(other)).toEqual({ message_id: null, provider_message_id: "wamid.1", body: null })
  })

  it("leave events without a quote as they are", () => {
    const body = '"quoted":{'
    const event = anEvent({
      id: outbound.id,
      type: "message.received",
      data: JSON.stringify({ message: encodeMessage({ ...outbound, body }) })
    })
    expect(withVisibleQuote(event, application)).toBe(event)
  })
})
