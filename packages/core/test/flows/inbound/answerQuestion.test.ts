import { aMessage } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { answerQuestion } from "../../../src/flows/inbound/answerQuestion.js"
import type { InboundMessage } from "../../../src/flows/inbound/InboundMessage.js"
import { emptyEnvelope, type Message } from "../../../src/model/Message.js"

const question = (id: string, ...ids: ReadonlyArray<string>): Message =>
  aMessage({
    id,
    type: "choices",
    status: "sent",
    content: { type: "choices", options: ids.map((id) => ({ id, title: `${id}!`, description: null })), button: null }
  })
const text = (given: Partial<Message> = {}): Message => aMessage({ id: "t", status: "sent", ...given })
const answer = (to: string): Message =>
  aMessage({
    id: "a",
    direction: "inbound",
    type: "choice",
    content: { type: "choice", id: "yes", title: "yes!" },
    envelope: {
      ...emptyEnvelope,
      quoted: { messageId: to, providerMessageId: to, applicationId: null, body: null }
    }
  })
const inbound: InboundMessage = { providerMessageId: "in", from: "+1", body: "1", displayName: null }
const optionNamed = (newestFirst: ReadonlyArray<Message>, given: Partial<InboundMessage> = {}, quoted?: Message) => {
  const found = answerQuestion(newestFirst, quoted, { ...inbound, ...given })
  return found && [found.question.id, found.option.id]
}

const first = question("q1", "yes", "no")

describe("a text after numbered choices", () => {
  it("answers the newest question, by number or title", () => {
    expect(optionNamed([first])).toEqual(["q1", "yes"])
    expect(optionNamed([first], { body: "NO" })).toEqual(["q1", "no"])
    expect(optionNamed([question("q2", "a"), first])).toEqual(["q2", "a"])
    expect(optionNamed([question("q2", "a"), first], { body: "no" })).toBeUndefined()
    expect(optionNamed([])).toBeUndefined()
  })

  it("answers a question once", () => {
    expect(optionNamed([answer("q1"), first])).toBeUndefined()
    expect(optionNamed([question("q2", "a"), answer("q1"), first])).toEqual(["q2", "a"])
  })

  it("still answers it after other texts of the customer", () => {
    expect(optionNamed([text({ direction: "inbound", status: "delivered" }), first])).toEqual(["q1", "yes"])
  })

  it("is no answer after another message of the business, unless that failed or is a reaction", () => {
    expect(optionNamed([text(), first])).toBeUndefined()
    expect(optionNamed([text({ status: "queued" }), first])).toBeUndefined()
    expect(optionNamed([text({ status: "failed" }), first])).toEqual(["q1", "yes"])
    expect(optionNamed([text({ type: "reaction" }), first])).toEqual(["q1", "yes"])
  })

  it("is no answer to a question that was not sent", () => {
    expect(optionNamed([{ ...first, status: "queued" }])).toBeUndefined()
    expect(optionNamed([{ ...first, status: "failed" }])).toBeUndefined()
  })

  it("is no answer if it quotes another message", () => {
    expect(optionNamed([first], {}, text())).toBeUndefined()
    expect(optionNamed([first], {}, first)).toEqual(["q1", "yes"])
  })

  it("is no answer if it is automatic or more than a text", () => {
    expect(optionNamed([first], { automatic: true })).toBeUndefined()
    expect(optionNamed([first], { content: { type: "reaction", emoji: "1" } })).toBeUndefined()
    expect(optionNamed([first], { body: "1".repeat(1_001) })).toBeUndefined()
  })
})
