import { FastCheck as fc } from "effect"
import { describe, expect, it } from "vitest"
import { begin, type Fill, goOn, mostSaid, type Turn } from "../../src/bots/dialogue.js"
import type { BotStep, Script } from "../../src/bots/Script.js"
import { aScript, ask, finish, handOff, qualification, say } from "./scripts.js"

const fill: Fill = (text, answers) => text.replace(/\{\{answers\.(\w+)\}\}/g, (_, key) => String(answers[key] ?? ""))

/** The turns of a dialogue in which the customer writes these. */
const talk = (script: Script, ...written: ReadonlyArray<string>): ReadonlyArray<Turn> => {
  const turns = [begin(script, fill)]
  for (const text of written) turns.push(goOn({ script, ...(turns.at(-1) as Turn) }, text, fill))
  return turns
}
const lastTurn = (...talked: Parameters<typeof talk>): Turn => talk(...talked).at(-1) as Turn

describe("a dialogue", () => {
  it("greets, says and asks until it waits for the customer", () => {
    const script = aScript([say("hi", "I am a bot."), ask("name", "Your name?"), finish("end")], { greeting: "Hello!" })
    expect(begin(script, fill)).toEqual({
      says: ["Hello!", "I am a bot.", "Your name?"],
      answers: {},
      step: "name",
      tries: 1,
      ending: null
    })
  })
  it("shows choices by their numbers, and keeps what was chosen under the question's key", () => {
    const [first, second] = talk(qualification, "1")
    expect(first?.says[1]).toBe("What do you need?\n1. Prices\n2. Support")
    expect(second).toMatchObject({ says: ["And your name?"], answers: { need: "prices" }, step: "name", ending: null })
  })
  it("goes where the choice leads, else where the question does, else on", () => {
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
    expect(lastTurn(script, "a").says).toEqual(["C"])
    expect(lastTurn(script, "b").says).toEqual(["D"])
    expect(lastTurn(aScript([ask("q", "?"), say("n", "next"), finish("end")]), "x").says).toEqual(["next"])
  })
  it("finishes at its end, with what it learned", () => {
    expect(lastTurn(qualification, "prices", "Ada")).toEqual({
      says: ["Thank you, Ada!"],
      answers: { need: "prices", name: "Ada" },
      step: null,
      tries: 0,
      ending: { type: "finished" }
    })
    expect(begin(aScript([say("only", "Bye")]), fill).ending).toEqual({ type: "finished" })
  })
  it("hands off where the script says so", () => {
    const script = aScript([handOff("person", { text: "One moment.", agentId: "a", teamId: "t" })])
    expect(begin(script, fill)).toMatchObject({
      says: ["One moment."],
      ending: { type: "handed_off", agentId: "a", teamId: "t", reason: null }
    })
  })
  it("asks again in the step's words, or in ours, and hands off after as many tries", () => {
    const expected = { type: "yes_no" as const }
    const script = aScript([ask("sure", "Sure?", { expected, tries: 3 }), finish("end")])
    const turns = talk(script, "hm", "what", "no idea")
    expect(turns.map(({ says, tries }) => [says, tries])).toEqual([
      [["Sure?"], 1],
      [["Please answer with yes or no."], 2],
      [["Please answer with yes or no."], 3],
      [[], 0]
    ])
    expect(turns.at(-1)).toMatchObject({ answers: {}, step: null, ending: { type: "handed_off", agentId: null } })
    const own = aScript([ask("sure", "Sure?", { expected, invalid: "Yes or no, please." }), finish("end")])
    expect(lastTurn(own, "hm", "yes").ending).toEqual({ type: "finished" })
    expect(lastTurn(own, "hm").says).toEqual(["Yes or no, please."])
  })
  it("repeats the choices under the step's own words", () => {
    const choices = [{ value: "a", text: "A", goTo: null }]
    const script = aScript([ask("q", "?", { expected: { type: "choice", choices }, invalid: "Sorry?" })])
    expect(lastTurn(script, "b").says).toEqual(["Sorry?\n1. A"])
  })
  it("counts tries anew for each question", () => {
    const expected = { type: "number" as const, min: null, max: null }
    const script = aScript([ask("one", "1?", { expected, tries: 2 }), ask("two", "2?", { expected, tries: 2 })])
    expect(lastTurn(script, "x", "1", "y")).toMatchObject({ step: "two", tries: 2, ending: null })
  })
  it("says nothing where a text comes out empty", () => {
    const script = aScript([say("empty", "{{answers.nothing}}"), ask("q", "?")], { greeting: " " })
    expect(begin(script, fill).says).toEqual(["?"])
  })
  it("that goes round and round without asking fails, and says nothing of it", () => {
    const round = aScript([say("a", "A"), say("b", "B", "a")])
    expect(begin(round, fill)).toMatchObject({ says: [], ending: { type: "failed" } })
    const silent = aScript([say("a", "", "a")])
    expect(begin(silent, fill).ending).toMatchObject({ type: "failed" })
    const long = aScript([...Array.from({ length: mostSaid }, (_, i) => say(`s${i}`, "S")), finish("end")])
    expect(begin(long, fill)).toMatchObject({ ending: { type: "finished" } })
    expect(begin({ ...long, greeting: "One too many" }, fill).ending).toMatchObject({ type: "failed" })
  })
  it("without steps greets and waits for a message", () => {
    expect(begin(aScript([], { greeting: "Hi" }), fill)).toMatchObject({ says: ["Hi"], step: null, ending: null })
  })

  it("of any script with any answers says a bounded number of messages a turn, and waits at a question or is over", () => {
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
        let turn = begin(script, fill)
        for (const text of written) {
          expect(turn.says.length).toBeLessThanOrEqual(mostSaid)
          expect(turn.ending === null).toBe(script.steps.some(({ key, type }) => key === turn.step && type === "ask"))
          if (turn.ending !== null) return
          turn = goOn({ script, ...turn }, text, fill)
        }
      })
    )
  })
})
