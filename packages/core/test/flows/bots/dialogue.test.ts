import { aMessage } from "@parley/testkit/rows"
import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import {
  asksNow,
  beginDialogue,
  continueDialogue,
  type Fill,
  maxMessagesPerTurn,
  repeatDialogue,
  type Turn
} from "../../../src/flows/bots/dialogue.js"
import type { ContentOf } from "../../../src/model/MessageContent.js"
import type { BotStep, Script } from "../../../src/model/Script.js"
import { aScript, ask, finish, handOff, qualification, say } from "./scripts.js"

const fill: Fill = {
  text: (text, answers) => text.replace(/\{\{answers\.(\w+)\}\}/g, (_, key) => String(answers[key] ?? "")),
  content: (content, answers) => ({ ...content, name: answers.name ?? null }),
  files: (files) => files
}

/** The turns of a dialogue with these answers of the customer. */
const conversation = (script: Script, ...written: ReadonlyArray<string>): ReadonlyArray<Turn> => {
  const turns = [beginDialogue(script, fill)]
  for (const text of written)
    turns.push(continueDialogue({ script, ...(turns.at(-1) as Turn) }, { body: text, content: null }, fill))
  return turns
}
/** The texts of a turn, with the labels of choices. */
const said = ({ messages }: Turn) =>
  messages.map(({ body, content }) =>
    content?.type === "choices" ? [body, ...(content as ContentOf<"choices">).options.map(({ title }) => title)] : body
  )
const texts = (...bodies: ReadonlyArray<string>) => bodies.map((body) => ({ body, content: null, files: [] }))
const lastTurn = (...talked: Parameters<typeof conversation>): Turn => conversation(...talked).at(-1) as Turn

describe("a dialogue", () => {
  it("sends greeting, texts and question, then waits for an answer", () => {
    const script = aScript([say("hi", "I am a bot."), ask("name", "Your name?"), finish("end")], { greeting: "Hello!" })
    expect(beginDialogue(script, fill)).toEqual({
      messages: texts("Hello!", "I am a bot.", "Your name?"),
      answers: {},
      step: "name",
      tries: 1,
      ending: null
    })
  })
  it("sends files and content of its steps, with their placeholders filled", () => {
    const place = {
      type: "location",
      latitude: 1,
      longitude: 2,
      name: "{{answers.name}}",
      address: null,
      url: null
    } as const
    const files = [{ url: "https://a.example/1.png", contentType: "image/png", fileName: null }]
    const script = aScript([
      ask("name", "Your name?"),
      { key: "place", type: "say", text: null, content: place, goTo: null },
      { key: "files", type: "say", text: "For {{answers.name}}", files, goTo: null },
      finish("end")
    ])
    expect(lastTurn(script, "Ada").messages).toEqual([
      { body: "", content: { ...place, name: "Ada" }, files: [] },
      { body: "For Ada", content: null, files }
    ])
  })
  it("asks with choices and stores the choice by the key of the question", () => {
    const [first, second] = conversation(qualification, "1")
    expect(said(first as Turn)[1]).toEqual(["What do you need?", "Prices", "Support"])
    expect(second).toMatchObject({
      messages: texts("And your name?"),
      answers: { need: "prices" },
      step: "name",
      ending: null
    })
  })
  it("follows go_to of the choice, else of the question, else the next step", () => {
    const choices = [
      { value: "a", text: "A", goTo: "c" },
      { value: "b", text: "B", goTo: null }
    ]
    const script = aScript([
      ask("q", "?", { expected: { type: "choice", choices }, goTo: "d" }),
      say("c", "C", "end"),
      say("d", "D"),
      finish("end")
    ])
    expect(said(lastTurn(script, "a"))).toEqual(["C"])
    expect(said(lastTurn(script, "b"))).toEqual(["D"])
    expect(said(lastTurn(aScript([ask("q", "?"), say("n", "next"), finish("end")]), "x"))).toEqual(["next"])
  })
  it("finishes with its answers", () => {
    expect(lastTurn(qualification, "prices", "Ada")).toEqual({
      messages: texts("Thank you, Ada!"),
      answers: { need: "prices", name: "Ada" },
      step: null,
      tries: 0,
      ending: { type: "finished" }
    })
    expect(beginDialogue(aScript([say("only", "Bye")]), fill).ending).toEqual({ type: "finished" })
  })
  it("hands off at a hand_off step", () => {
    const script = aScript([handOff("person", { text: "One moment.", agentId: "a", teamId: "t" })])
    expect(beginDialogue(script, fill)).toMatchObject({
      messages: texts("One moment."),
      ending: { type: "handed_off", agentId: "a", teamId: "t", reason: null }
    })
  })
  it("repeats the question after an invalid answer and hands off after the last try", () => {
    const expected = { type: "yes_no" as const }
    const script = aScript([ask("sure", "Sure?", { expected, tries: 3 }), finish("end")])
    const turns = conversation(script, "hm", "what", "no idea")
    expect(turns.map((turn) => [said(turn), turn.tries])).toEqual([
      [["Sure?"], 1],
      [["Please answer with yes or no."], 2],
      [["Please answer with yes or no."], 3],
      [[], 0]
    ])
    expect(turns.at(-1)).toMatchObject({ answers: {}, step: null, ending: { type: "handed_off", agentId: null } })
    const own = aScript([ask("sure", "Sure?", { expected, invalid: "Yes or no, please." }), finish("end")])
    expect(lastTurn(own, "hm", "yes").ending).toEqual({ type: "finished" })
    expect(said(lastTurn(own, "hm"))).toEqual(["Yes or no, please."])
  })
  it("repeats the choices below the step's own hint", () => {
    const choices = [{ value: "a", text: "A", goTo: null }]
    const script = aScript([ask("q", "?", { expected: { type: "choice", choices }, invalid: "Sorry?" })])
    expect(said(lastTurn(script, "b"))).toEqual([["Sorry?", "A"]])
  })
  it("asks the current question again, as the same try, after a press that is not for it", () => {
    const [first] = conversation(qualification)
    const session = { script: qualification, ...(first as Turn) }
    const again = repeatDialogue(session, fill)
    expect(said(again)).toEqual([["What do you need?", "Prices", "Support"]])
    expect(again).toMatchObject({ step: "need", tries: 1, answers: {}, ending: null })
  })
  it("is pressed by the options that are offered with the current question or after it", () => {
    const session = { id: "session", script: qualification, step: "need", answers: {} }
    const offering = (id: string, body: string, options: ReadonlyArray<string>, botSessionId = session.id) =>
      aMessage({
        ...{ id, body, botSessionId, type: "choices" },
        content: { type: "choices", options: options.map((id) => ({ id, title: id, description: null })), button: null }
      })
    const first = offering("2", "What do you need?", ["prices", "support"])
    const again = offering("3", "Please answer with one of these:", ["prices", "support"])
    expect([first, again].map((message) => asksNow(session, message, [again, first], fill))).toEqual([true, true])
    const others = [
      offering("1", "Please answer with one of these:", ["prices", "support"]),
      offering("0", "What do you need?", ["prices", "support"], "another session"),
      ...[["support", "prices"], ["prices"], []].map((options) => offering("4", "What do you need?", options))
    ]
    for (const other of others) {
      expect(asksNow(session, other, [...others, again, first], fill)).toBe(false)
    }
    expect(asksNow({ ...session, step: "name" }, first, [first], fill)).toBe(false)
  })
  it("is pressed by an option of a question that names the contact, whose name changed since", () => {
    const choices = [{ value: "a", text: "A", goTo: null }]
    const script = aScript([ask("q", "Hi {{ contact.first_name }}, which?", { expected: { type: "choice", choices } })])
    const question = aMessage({
      ...{ id: "2", body: "Hi , which?", botSessionId: "session", type: "choices" },
      content: { type: "choices", options: [{ id: "a", title: "A", description: null }], button: null }
    })
    const named: Fill = { ...fill, text: (text) => text.replace("{{ contact.first_name }}", "Ada") }
    expect(asksNow({ id: "session", script, step: "q", answers: {} }, question, [question], named)).toBe(true)
  })
  it("counts tries per question", () => {
    const expected = { type: "number" as const, min: null, max: null }
    const script = aScript([ask("one", "1?", { expected, tries: 2 }), ask("two", "2?", { expected, tries: 2 })])
    expect(lastTurn(script, "x", "1", "y")).toMatchObject({ step: "two", tries: 2, ending: null })
  })
  it("sends no text that is empty after replacement", () => {
    const script = aScript([say("empty", "{{answers.nothing}}"), ask("q", "?")], { greeting: " " })
    expect(said(beginDialogue(script, fill))).toEqual(["?"])
  })
  it("fails without sending if the script loops without a question", () => {
    const round = aScript([say("a", "A"), say("b", "B", "a")])
    expect(beginDialogue(round, fill)).toMatchObject({ messages: [], ending: { type: "failed" } })
    const silent = aScript([say("a", "", "a")])
    expect(beginDialogue(silent, fill).ending).toMatchObject({ type: "failed" })
    const long = aScript([...Array.from({ length: maxMessagesPerTurn }, (_, i) => say(`s${i}`, "S")), finish("end")])
    expect(beginDialogue(long, fill)).toMatchObject({ ending: { type: "finished" } })
    expect(beginDialogue({ ...long, greeting: "One too many" }, fill).ending).toMatchObject({ type: "failed" })
  })
  it("without steps sends the greeting and waits for a message", () => {
    expect(beginDialogue(aScript([], { greeting: "Hi" }), fill)).toMatchObject({
      messages: texts("Hi"),
      step: null,
      ending: null
    })
  })

  it("sends a bounded number of texts per turn and waits or ends, for any script and answers", () => {
    const keys = ["a", "b", "c", "d", "e"]
    const goTo = fc.option(fc.constantFrom(...keys), { nil: null })
    const stepOf = (key: string): fc.Arbitrary<BotStep> =>
      fc.oneof(
        goTo.map((to) => say(key, "S", to)),
        fc
          .tuple(goTo, fc.integer({ min: 1, max: 3 }))
          .map(([goTo, tries]) => ask(key, "?", { goTo, tries, expected: { type: "yes_no" } })),
        fc.constant(finish(key, "F")),
        fc.constant(handOff(key))
      )
    const script = fc.tuple(...keys.map(stepOf)).map((steps) => aScript(steps))
    const answers = fc.array(fc.constantFrom("yes", "no", "hm"), { maxLength: 12 })
    fc.assert(
      fc.property(script, answers, (script, written) => {
        let turn = beginDialogue(script, fill)
        for (const text of written) {
          expect(turn.messages.length).toBeLessThanOrEqual(maxMessagesPerTurn)
          expect(turn.ending === null).toBe(script.steps.some(({ key, type }) => key === turn.step && type === "ask"))
          if (turn.ending !== null) return
          turn = continueDialogue({ script, ...turn }, { body: text, content: null }, fill)
        }
      })
    )
  })
})
