import { aConversation, aMessage } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import type { Message } from "../../../../src/model/Message.js"
import { messageEntry } from "../../../../src/resources/contacts/history/historyEntries.js"

const conversation = aConversation({ handle: "+49151" })
const noAuthor = { applicationId: null, agentId: null, workflowRunId: null, botSessionId: null, receivedAt: null }
const explanationOf = (given: Partial<Message>): string =>
  messageEntry(aMessage({ id: "m", direction: "outbound", body: "Hello", ...noAuthor, ...given }), conversation)
    .explanation

describe("an outbound message in the history of a contact", () => {
  for (const [author, given, text] of [
    ["an application", { applicationId: "a" }, "by application a"],
    ["an agent", { agentId: "g" }, "by agent g"],
    ["an unnamed agent", {}, "by an agent"],
    ["a workflow", { workflowRunId: "r", applicationId: "a" }, "by a workflow run (r)"],
    ["a bot of a workflow", { workflowRunId: "r", botSessionId: "b" }, "by a workflow run (r) and its bot (b)"],
    ["a bot that a customer started", { botSessionId: "b", applicationId: "a" }, "by a bot (b)"],
    ["the business in another program", { receivedAt: 1 }, "written outside Parley"]
  ] as const) {
    it(`names its author: ${author}`, () => expect(explanationOf(given)).toContain(`To +49151, ${text}`))
  }
})

describe("a message without a text in the history of a contact", () => {
  it("is named by its type or its subject", () => {
    expect(explanationOf({ body: "", type: "media" })).toMatch(/: files without a text$/)
    expect(explanationOf({ body: "", type: "edit" })).toMatch(/: no text \(edit\)$/)
    expect(explanationOf({ body: "", subject: "Invoice" })).toMatch(/: "Invoice"$/)
  })
})
