import type { Message } from "../../model/Message.js"
import type { ContentOf } from "../../model/MessageContent.js"
import { isOptionToken, matchesOption } from "../../resources/messages/optionToken.js"

/** A choice that the customer pressed, and the question that it answers. */
export interface PressedChoice {
  readonly content: ContentOf<"choice">
  /** Undefined: it is not known. */
  readonly question: Message | undefined
}

/**
 * Tells late and repeated presses of an option from the first (docs/reference/content.md#late-and-repeated-choices),
 * and replaces the token of an option by its id (docs/reference/content.md#option-ids).
 * `quoted`: the question, if the vendor names it and it is stored; `names`: whether the vendor names one. Else it is
 * the newest question with an option of this id. `recent`: the latest messages of the conversation, newest first.
 */
export const pressedChoice = (
  pressed: ContentOf<"choice">,
  quoted: Message | undefined,
  names: boolean,
  recent: ReadonlyArray<Message>
): PressedChoice => {
  const question = names
    ? quoted
    : recent.find((message) => isSent(message) && optionOf(message, pressed.id) !== undefined)
  const content = resolveOptionToken(pressed, optionOf(question, pressed.id))
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

type Option = ContentOf<"choices">["options"][number]

const optionOf = (question: Message | undefined, id: string | null): Option | undefined =>
  id !== null && question?.content?.type === "choices"
    ? question.content.options.find((option) => matchesOption(option, id))
    : undefined

/** The choice without a token: `id` is null if the option is not known. */
const resolveOptionToken = (
  { id, title, type }: ContentOf<"choice">,
  option: Option | undefined
): ContentOf<"choice"> =>
  id === null || option?.id === id || !isOptionToken(id)
    ? { type, id, title }
    : // A vendor that does not return the label has the token for a title.
      { type, id: option?.id ?? null, title: title === id ? (option?.title ?? title) : title }
