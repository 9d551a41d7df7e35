import { aMessage, aProviderMessage, someTime } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { claimProviderMessage } from "../../../src/resources/messages/claimProviderMessage.js"

const message = aMessage({ id: "01900000-0000-7000-8000-0000000000aa" })
const key = { connectionId: message.connectionId, providerMessageId: "p1" }

describe("the id of a provider", () => {
  it("that is new is claimed for its message", () => {
    expect(claimProviderMessage(undefined, message, "p1", someTime)).toEqual({
      claims: [
        {
          table: "providerMessages",
          row: {
            ...key,
            workspaceId: message.workspaceId,
            messageId: message.id,
            parked: [],
            createdAt: someTime,
            version: 1
          }
        }
      ]
    })
  })
  it("with parked receipts is bound to its message, and the receipts are cleared", () => {
    const parked = [{ status: "read" as const, at: someTime, error: null }]
    const known = aProviderMessage({ ...key, messageId: null, parked, version: 3 })
    expect(claimProviderMessage(known, message, "p1", someTime)).toEqual({
      expects: [{ table: "providerMessages", key, where: { version: 3 } }],
      sets: [{ table: "providerMessages", key, values: { messageId: message.id, parked: [] } }]
    })
  })
  it("that is bound already stays unchanged", () => {
    const known = aProviderMessage({ ...key, messageId: "01900000-0000-7000-8000-0000000000ab" })
    expect(claimProviderMessage(known, message, "p1", someTime)).toEqual({})
  })
})
