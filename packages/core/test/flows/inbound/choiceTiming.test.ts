import { aMessage } from "@parley/testkit/rows"
import { describe, expect, it } from "vitest"
import { pressedChoice } from "../../../src/flows/inbound/choiceTiming.js"
import { emptyEnvelope, type Message } from "../../../src/model/Message.js"
import { optionToken } from "../../../src/resources/messages/optionToken.js"

const question = (id: string, given: Partial<Message> = {}): Message =>
  aMessage({
    id,
    type: "choices",
    status: "delivered",
    content: { type: "choices", options: [{ id: "yes", title: "Yes", description: null }], button: null },
    ...given
  })
const pressed = (to: string): Message =>
  aMessage({
    id: `answer to ${to}`,
    direction: "inbound",
    type: "choice",
    content: { type: "choice", id: "yes", title: "Yes" },
    envelope: {
      ...emptyEnvelope,
      quoted: { messageId: to, providerMessageId: to, applicationId: null, body: null }
    }
  })
const text = aMessage({ id: "t", status: "sent" })
const yes = { type: "choice", id: "yes", title: "Yes" } as const
const [one, two] = [question("q1"), question("q2")]

/** The timing of a press of the option of this question. `recent`: newest first. */
const timingOf = (quoted: Message, ...recent: ReadonlyArray<Message>) =>
  pressedChoice(yes, quoted, true, recent).content.timing

describe("a press of an option", () => {
  it("is the first of the newest question, also after texts", () => {
    expect(timingOf(one, one)).toBe("first")
    expect(timingOf(one, text, one)).toBe("first")
    expect(timingOf(two, two, pressed("q1"), one)).toBe("first")
  })

  it("is repeated after another of the same question", () => {
    expect(timingOf(one, pressed("q1"), one)).toBe("repeated")
    expect(timingOf(one, two, pressed("q1"), one)).toBe("repeated")
  })

  it("is late after another question that the customer may have seen", () => {
    expect(timingOf(one, two, one)).toBe("late")
    expect(timingOf(one, pressed("q2"), two, one)).toBe("late")
    expect(timingOf(one, question("q2", { status: "failed" }), one)).toBe("first")
    expect(timingOf(one, question("q2", { status: "queued" }), one)).toBe("first")
  })

  it("is late if the question is not among the latest messages", () => {
    expect(timingOf(one, text)).toBe("late")
  })

  it("belongs to the newest question with such an option if the vendor names none", () => {
    const named = (...recent: ReadonlyArray<Message>) => {
      const { content, question } = pressedChoice(yes, undefined, false, recent)
      return [question?.id, content.timing]
    }
    expect(named(text, two, one)).toEqual(["q2", "first"])
    expect(named(question("q3", { status: "failed" }), pressed("q2"), two, one)).toEqual(["q2", "repeated"])
    expect(named(text)).toEqual([undefined, undefined])
  })

  it("has the id of the option for whose id a token was sent", () => {
    const long = "y".repeat(65)
    const options = [
      { id: "no", title: "No", description: null },
      { id: long, title: "Yes", description: null }
    ]
    const shortened = question("q1", { content: { type: "choices", options, button: null } })
    const token = { type: "choice", id: optionToken(long), title: "Yes" } as const
    const choice = { type: "choice", id: long, title: "Yes", timing: "first" }
    expect(pressedChoice(token, shortened, true, [shortened])).toEqual({ question: shortened, content: choice })
    expect(pressedChoice(token, undefined, false, [text, shortened])).toEqual({ question: shortened, content: choice })
    // The label of a button below an old message is not returned.
    expect(pressedChoice({ ...token, title: token.id }, shortened, true, [shortened]).content).toEqual(choice)
    expect(pressedChoice(token, undefined, true, []).content).toEqual({ type: "choice", id: null, title: "Yes" })
  })

  it("has no timing if the question that the vendor names is not stored", () => {
    expect(pressedChoice({ ...yes, timing: "first" }, undefined, true, [one])).toEqual({
      question: undefined,
      content: yes
    })
  })
})
