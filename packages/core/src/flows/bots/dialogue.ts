import { Either } from "effect"
import type { BotSession } from "../../model/BotSession.js"
import type { Message } from "../../model/Message.js"
import type { DefinedContent, DefinedFile } from "../../model/MessageContent.js"
import type { BotStep, Expected, Script } from "../../model/Script.js"
import { readAnswer } from "./readAnswer.js"

/** How a session ends. */
export type Ending =
  | { readonly type: "finished" | "timed_out" | "stopped" }
  | {
      readonly type: "handed_off"
      readonly agentId: string | null
      readonly teamId: string | null
      /** English text for the administrators; null: none, because the script hands off on purpose. */
      readonly reason: string | null
      /** Whether administrators are notified of the reason. */
      readonly notifies: boolean
    }
  /** As for a hand-off. */
  | { readonly type: "failed"; readonly reason: string; readonly notifies: boolean }

/** A message of a bot: a text, content or files, with its placeholders filled. */
export interface BotMessage {
  /** Empty only with content or files. */
  readonly body: string
  readonly content: DefinedContent | null
  readonly files: ReadonlyArray<DefinedFile>
}

/** A text. */
export const sayText = (body: string): BotMessage => ({ body, content: null, files: [] })

/** Whether there is something to send. */
export const isSaid = ({ body, content, files }: BotMessage): boolean =>
  body.trim() !== "" || content !== null || files.length > 0

/** One turn of a bot: its messages and the state in which it waits for the customer. */
export interface Turn extends Pick<BotSession, "answers" | "step" | "tries"> {
  readonly messages: ReadonlyArray<BotMessage>
  /** Null: the session continues. */
  readonly ending: Ending | null
}

/** Replaces the placeholders of a step. */
export interface Fill {
  readonly text: (text: string, answers: BotSession["answers"]) => string
  readonly content: (content: DefinedContent, answers: BotSession["answers"]) => DefinedContent
  readonly files: (files: ReadonlyArray<DefinedFile>, answers: BotSession["answers"]) => ReadonlyArray<DefinedFile>
}

/** Maximum number of steps, and of messages, in one turn; ends a script that loops. */
const maxStepsPerTurn = 20
export const maxMessagesPerTurn = 10

/** The first turn: the greeting and the first steps. Without steps, it waits for a message for the responder. */
export const beginDialogue = (script: Script, fill: Fill): Turn => {
  const begun = { messages: greet(script, fill), answers: {} }
  return script.steps.length === 0 ? { ...begun, step: null, tries: 0, ending: null } : runSteps(script, 0, begun, fill)
}

/** The greeting of a script. */
export const greet = ({ greeting }: Script, fill: Fill): Turn["messages"] =>
  greeting === null ? [] : [sayText(fill.text(greeting, {}))]

/** The turn after an answer to the current question. */
export const continueDialogue = (
  { answers, script, step: key, tries }: Pick<BotSession, "script" | "step" | "tries" | "answers">,
  written: Pick<Message, "body" | "content">,
  fill: Fill
): Turn => {
  const index = script.steps.findIndex((step) => step.key === key)
  const step = script.steps[index]
  if (step?.type !== "ask") return failed(answers, "Its current step is not a question.")
  const read = readAnswer(step.expected, written)
  if (Either.isRight(read)) {
    const { goTo, value } = read.right
    const given = { ...answers, [step.key]: value }
    return runSteps(script, nextStepIndex(script, index, goTo ?? step.goTo), { messages: [], answers: given }, fill)
  }
  if (tries >= step.tries) return { ...handedOff(answers), ending: unassignedHandOff }
  return {
    messages: [repeatedQuestion(step, read.left, answers, fill)],
    answers,
    step: step.key,
    tries: tries + 1,
    ending: null
  }
}

/** The turn after the press of an option of an earlier question: the current question again, as often as it takes. */
export const repeatDialogue = (
  { answers, script, step: key, tries }: Pick<BotSession, "script" | "step" | "tries" | "answers">,
  fill: Fill
): Turn => {
  const step = script.steps.find((step) => step.key === key)
  return step?.type === "ask"
    ? { messages: [question(step, answers, fill)], answers, step: step.key, tries, ending: null }
    : failed(answers, "Its current step is not a question.")
}

/**
 * Whether this message asks the current question: it has its options and was sent with the question or after it, such
 * as the question again after an invalid answer. Other steps may have the same options. `messages`: of the
 * conversation.
 */
export const asksNow = (
  { answers, id, script, step: key }: Pick<BotSession, "answers" | "id" | "script" | "step">,
  message: Message,
  messages: ReadonlyArray<Message>,
  fill: Fill
): boolean => {
  const step = script.steps.find((step) => step.key === key)
  if (step?.type !== "ask" || step.expected.type !== "choice") return false
  const { choices } = step.expected
  const { body } = question(step, answers, fill)
  const namesContact = /\{\{\s*contact/.test(step.text)
  const isOffered = ({ botSessionId, content }: Message): boolean =>
    botSessionId === id &&
    content?.type === "choices" &&
    content.options.length === choices.length &&
    content.options.every(({ id }, index) => id === choices[index]?.value)
  // The text may have been another one when it was asked, if it names the contact.
  const isQuestion = (one: Message): boolean => isOffered(one) && (namesContact || one.body === body)
  return isOffered(message) && messages.some((one) => one.id <= message.id && isQuestion(one))
}

interface Begun extends Pick<Turn, "messages" | "answers"> {}

const runSteps = (script: Script, from: number, { answers, messages: before }: Begun, fill: Fill): Turn => {
  const messages = [...before]
  const turnEndingAt = (step: string | null, ending: Ending | null): Turn => ({
    messages: messages.filter(isSaid),
    answers,
    step,
    tries: step === null ? 0 : 1,
    ending
  })
  let index = from
  for (let steps = 0; steps < maxStepsPerTurn && messages.length <= maxMessagesPerTurn; steps++) {
    const step = script.steps[index]
    if (step === undefined) return turnEndingAt(null, { type: "finished" })
    if (step.type === "ask") messages.push(question(step, answers, fill))
    else if (step.type === "say") messages.push(said(step, answers, fill))
    else if (step.text !== null) messages.push(sayText(fill.text(step.text, answers)))
    if (messages.length > maxMessagesPerTurn) break
    switch (step.type) {
      case "say":
        index = nextStepIndex(script, index, step.goTo)
        break
      case "ask":
        return turnEndingAt(step.key, null)
      case "hand_off": {
        const { agentId, teamId } = step
        return turnEndingAt(null, { type: "handed_off", agentId, teamId, reason: null, notifies: true })
      }
      case "finish":
        return turnEndingAt(null, { type: "finished" })
    }
  }
  return failed(
    answers,
    `It ran ${maxStepsPerTurn} steps or more than ${maxMessagesPerTurn} messages without a question.`
  )
}

/** Index of the next step. An index behind the last step finishes the session. */
const nextStepIndex = ({ steps }: Script, index: number, goTo: string | null): number => {
  const target = goTo === null ? -1 : steps.findIndex(({ key }) => key === goTo)
  return target < 0 ? index + 1 : target
}

type Ask = BotStep & { readonly type: "ask" }

const said = (
  { content, files = [], text }: BotStep & { readonly type: "say" },
  answers: BotSession["answers"],
  fill: Fill
): BotMessage => ({
  body: text === null ? "" : fill.text(text, answers),
  content: content === undefined ? null : fill.content(content, answers),
  files: fill.files(files, answers)
})

const question = ({ expected, text }: Ask, answers: BotSession["answers"], fill: Fill): BotMessage => ({
  body: fill.text(text, answers),
  content: choicesOf(expected),
  files: []
})

const repeatedQuestion = (
  { expected, invalid }: Ask,
  hint: string,
  answers: BotSession["answers"],
  fill: Fill
): BotMessage => ({
  body: invalid === null ? hint : fill.text(invalid, answers),
  content: choicesOf(expected),
  files: []
})

const choicesOf = (expected: Expected): DefinedContent | null =>
  expected.type !== "choice"
    ? null
    : {
        type: "choices",
        options: expected.choices.map(({ text, value }) => ({ id: value, title: text, description: null })),
        button: null
      }

const unassignedHandOff: Ending = { type: "handed_off", agentId: null, teamId: null, reason: null, notifies: true }

const handedOff = (answers: BotSession["answers"]): Omit<Turn, "ending"> => ({
  messages: [],
  answers,
  step: null,
  tries: 0
})

const failed = (answers: BotSession["answers"], reason: string): Turn => ({
  ...handedOff(answers),
  ending: { type: "failed", reason, notifies: true }
})
