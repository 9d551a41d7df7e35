import { Either } from "effect"
import type { BotSession } from "./BotSession.js"
import { numbered, readAnswer } from "./readAnswer.js"
import type { BotStep, Script } from "./Script.js"

/** How a dialogue ends, where it does. */
export type Ending =
  | { readonly type: "finished" | "timed_out" | "stopped" }
  | {
      readonly type: "handed_off"
      readonly agentId: string | null
      readonly teamId: string | null
      /** What the administrators are told of it, for a person; null: nothing, since the script wanted it so. */
      readonly reason: string | null
    }
  /** `reason`: what the administrators can do something about, for a person; null: nothing. */
  | { readonly type: "failed"; readonly reason: string | null }

/** What a bot does until it waits for its customer again: what it says, and where it stands then. */
export interface Turn extends Pick<BotSession, "answers" | "step" | "tries"> {
  readonly says: ReadonlyArray<string>
  /** Null: it goes on. */
  readonly ending: Ending | null
}

/** The text of a step with its placeholders filled in. */
export type Fill = (text: string, answers: BotSession["answers"]) => string

/** The most steps, and the most messages, without an answer in between: a script that goes round and round ends there. */
const mostSteps = 20
export const mostSaid = 10

/** How a dialogue begins: the greeting, and the first steps; without any, it waits for a message that it can respond to. */
export const begin = (script: Script, fill: Fill): Turn => {
  const begun = { says: greet(script, fill), answers: {} }
  return script.steps.length === 0 ? { ...begun, step: null, tries: 0, ending: null } : proceed(script, 0, begun, fill)
}

/** What a script says before anything else. */
export const greet = ({ greeting }: Script, fill: Fill): Turn["says"] => (greeting === null ? [] : [fill(greeting, {})])

/** What follows an answer to the question that a dialogue waits at. */
export const goOn = (
  { answers, script, step: key, tries }: Pick<BotSession, "script" | "step" | "tries" | "answers">,
  written: string,
  fill: Fill
): Turn => {
  const index = script.steps.findIndex((step) => step.key === key)
  const step = script.steps[index]
  if (step?.type !== "ask") return failed(answers, "It waits at a step that asks nothing.")
  const read = readAnswer(step.expected, written)
  if (Either.isRight(read)) {
    const { goTo, value } = read.right
    const given = { ...answers, [step.key]: value }
    return proceed(script, following(script, index, goTo ?? step.goTo), { says: [], answers: given }, fill)
  }
  if (tries >= step.tries) return { ...handedOff(answers), ending: toAnybody }
  return { says: [again(step, read.left, answers, fill)], answers, step: step.key, tries: tries + 1, ending: null }
}

interface Begun extends Pick<Turn, "says" | "answers"> {}

const proceed = (script: Script, from: number, { answers, says: said }: Begun, fill: Fill): Turn => {
  const says = [...said]
  const waitsAt = (step: string | null, ending: Ending | null): Turn => ({
    says: says.filter((text) => text.trim() !== ""),
    answers,
    step,
    tries: step === null ? 0 : 1,
    ending
  })
  let index = from
  for (let steps = 0; steps < mostSteps && says.length <= mostSaid; steps++) {
    const step = script.steps[index]
    if (step === undefined) return waitsAt(null, { type: "finished" })
    if (step.text !== null) says.push(step.type === "ask" ? question(step, answers, fill) : fill(step.text, answers))
    if (says.length > mostSaid) break
    switch (step.type) {
      case "say":
        index = following(script, index, step.goTo)
        break
      case "ask":
        return waitsAt(step.key, null)
      case "hand_off": {
        const { agentId, teamId } = step
        return waitsAt(null, { type: "handed_off", agentId, teamId, reason: null })
      }
      case "finish":
        return waitsAt(null, { type: "finished" })
    }
  }
  return failed(answers, `It went through ${mostSteps} steps or said ${mostSaid} messages without asking anything.`)
}

/** Behind the last step there is none, where a dialogue is finished. */
const following = ({ steps }: Script, index: number, goTo: string | null): number => {
  const target = goTo === null ? -1 : steps.findIndex(({ key }) => key === goTo)
  return target < 0 ? index + 1 : target
}

type Ask = BotStep & { readonly type: "ask" }

const question = ({ expected, text }: Ask, answers: BotSession["answers"], fill: Fill): string =>
  expected.type === "choice" ? `${fill(text, answers)}\n${numbered(expected.choices)}` : fill(text, answers)

const again = ({ expected, invalid }: Ask, words: string, answers: BotSession["answers"], fill: Fill): string => {
  if (invalid === null) return words
  return expected.type === "choice"
    ? `${fill(invalid, answers)}\n${numbered(expected.choices)}`
    : fill(invalid, answers)
}

const toAnybody: Ending = { type: "handed_off", agentId: null, teamId: null, reason: null }

const handedOff = (answers: BotSession["answers"]): Omit<Turn, "ending"> => ({
  says: [],
  answers,
  step: null,
  tries: 0
})

const failed = (answers: BotSession["answers"], reason: string): Turn => ({
  ...handedOff(answers),
  ending: { type: "failed", reason }
})
