import { aMessage } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { messageEvent } from "../../../src/resources/messages/messageEvent.js"

const sent = aMessage({ id: "1", applicationId: "application", externalReference: "order-1" })
const ofARun = aMessage({ id: "2", applicationId: "application", workflowRunId: "run" })
const ofItsBot = aMessage({ id: "3", applicationId: "application", workflowRunId: "run", botSessionId: "session" })
const ofABot = aMessage({ id: "4", applicationId: null, botSessionId: "session" })

describe("an event about a message", () => {
  it("is only for the application that sent it or whose event started the sending run", () => {
    const receivedBy = [sent, ofARun, ofItsBot, ofABot].map(
      (message) => messageEvent("message.queued", message).applicationId
    )
    expect(receivedBy).toEqual(["application", "application", "application", null])
  })
  it("has the external reference only of a message that an application sent itself", () => {
    expect(messageEvent("message.sent", sent)).toMatchObject({ externalReference: "order-1" })
    expect(messageEvent("message.sent", { ...sent, externalReference: null })).toHaveProperty("externalReference", null)
    for (const message of [ofARun, ofItsBot, ofABot]) {
      expect(messageEvent("message.sent", message)).not.toHaveProperty("externalReference")
    }
  })
})
