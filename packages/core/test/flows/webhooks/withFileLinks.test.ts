import { describe, expect, it } from "@effect/vitest"
import { aMessage } from "@parley/testkit/rows"
import { withFileLinks } from "../../../src/flows/webhooks/withFileLinks.js"
import type { Event } from "../../../src/model/Event.js"
import { fileLinks, unlinked } from "../../../src/resources/attachments/fileLink.js"
import { encodeMessage } from "../../../src/resources/messages/MessageResource.js"

const id = "01900000-0000-7000-8000-0000000000aa"
const attachments = [
  { id: "a", type: "image", contentType: "image/png", fileName: null, size: 12 },
  { id: "b", type: "document", contentType: "application/pdf", fileName: "bill.pdf", size: 0 }
] as const

const eventOf = (data: object, type: Event["type"] = "message.received"): Event => ({
  id: "event",
  workspaceId: "workspace",
  type,
  applicationId: null,
  connectionId: "connection",
  subjectId: "message",
  hasExternalReference: false,
  externalReference: null,
  data: JSON.stringify(data),
  raw: null,
  createdAt: 1
})
const links = fileLinks(
  { sign: (text) => text.length.toString() },
  { urlLifetime: 60_000 },
  "https://acme.example",
  1_500
)

describe("linkedEvent", () => {
  it("adds new signed URLs to attachments and changes nothing else", () => {
    const message = encodeMessage(aMessage({ id, direction: "inbound", attachments }))
    const linked = JSON.parse(withFileLinks(eventOf({ message }), links).data)
    expect(linked.message.attachments.map(({ url }: { url: string }) => url)).toEqual([
      "https://acme.example/media/a?expires=62&signature=10",
      "https://acme.example/media/b?expires=62&signature=10"
    ])
    expect(linked.message.attachments[0].expires_at).toBe("1970-01-01T00:01:02.000Z")
    const bare = linked.message.attachments.map((one: object) => ({ ...one, url: null, expires_at: null }))
    expect({ message: { ...linked.message, attachments: bare } }).toEqual({ message })
  })

  it("adds no URLs without a public base URL", () => {
    const event = eventOf({ message: encodeMessage(aMessage({ id, attachments })) })
    expect(withFileLinks(event, unlinked).data).toBe(event.data)
    expect(fileLinks({ sign: () => "" }, { urlLifetime: 1 }, null, 0)).toBe(unlinked)
  })

  it("returns the event itself without attachments, for any message text", () => {
    const body = '"attachments":[{"id":"c"}] \\"attachments\\":[{'
    for (const event of [
      eventOf({ message: encodeMessage(aMessage({ id, body })) }),
      eventOf({ message: encodeMessage(aMessage({ id, externalReference: body })) }),
      eventOf({ data: { attachments: [{ id: "c" }] } }, "webhook.test")
    ]) {
      expect(withFileLinks(event, links)).toBe(event)
    }
  })
})
