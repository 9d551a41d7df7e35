import { describe, expect, it } from "@effect/vitest"
import { aMessage } from "@parley/testkit/rows"
import { Schema } from "effect"
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
    { id: "b", type: "document", contentType: "application/pdf", fileName: "bill.pdf", size: 0 }
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
