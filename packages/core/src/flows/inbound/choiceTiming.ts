import type { Message } from "../../model/Message.js"
import type { ContentOf } from "../../model/MessageContent.js"

/** A choice that the customer pressed, and the question that it answers. */
export interface PressedChoice {
  readonly content: ContentOf<"choice">
  /** Undefined: it is not known. */
  readonly question: Message | undefined
}

/**
 * Tells late and repeated presses of an option from the first (docs/reference/content.md#late-and-repeated-choices).
 * `quoted`: the question, if the vendor names it and it is stored; `names`: whether the vendor names one. Else it is
 * the newest question with an option of this id. `recent`: the latest messages of the conversation, newest first.
 */
export const pressedChoice = (
  { id, title, type }: ContentOf<"choice">,
  quoted: Message | undefined,
  names: boolean,
  recent: ReadonlyArray<Message>
): PressedChoice => {
  const question = names ? quoted : recent.find((message) => isSent(message) && hasOption(message, id))
  const content = { type, id, title }
  return { question, content: question === undefined ? content : { ...content, timing: timingOf(question, recent) } }
}

const timingOf = (question: Message, recent: ReadonlyArray<Message>): NonNullable<ContentOf<"choice">["timing"]> => {
  const isAnswered = recent.some(
    ({ content, envelope }) => content?.type === "choice" && envelope?.quoted?.messageId === question.id
  )
  if (isAnswered) return "repeated"
  const newest = recent.find((message) => message.id === question.id || (isSent(message) && isQuestion(message)))
  return newest?.id === question.id ? "first" : "late"
}

/** A message that failed was not seen. */
const isSent = ({ direction, status }: Message): boolean =>
  direction === "outbound" && status !== "failed" && status !== "queued"

const isQuestion = ({ content }: Message): boolean => content?.type === "choices"

const hasOption = ({ content }: Message, id: string | null): boolean =>
  content?.type === "choices" && content.options.some((option) => option.id === id)
