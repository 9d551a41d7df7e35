import type { Message } from "../../model/Message.js"
import { type ContentOf, isAnnotation } from "../../model/MessageContent.js"
import { maxOptionText, optionOf } from "../../resources/messages/numberedChoices.js"
import type { InboundMessage } from "./InboundMessage.js"

/** A question with options. */
type Question = Message & { readonly content: ContentOf<"choices"> }

/** An answer to a question that was sent as numbered text. */
export interface NumberedAnswer {
  readonly question: Question
  readonly option: Question["content"]["options"][number]
}

/** The fields of a customer's message that an answer depends on. */
type WrittenText = Pick<InboundMessage, "automatic" | "body" | "content" | "files">

/** Whether a message could be an answer to numbered choices: a short text that the customer wrote. */
export const mayAnswerQuestion = ({ automatic = false, body, content, files = [] }: WrittenText): boolean =>
  !automatic && (content ?? null) === null && files.length === 0 && body.length <= maxOptionText

/**
 * The option of the open question that a text names (docs/reference/content.md#numbered-choices). Undefined if it names
 * none, if no question is open, or if it quotes another message. `recent`: the latest messages of the conversation,
 * newest first.
 */
export const answerQuestion = (
  recent: ReadonlyArray<Message>,
  quoted: Message | undefined,
  inbound: WrittenText
): NumberedAnswer | undefined => {
  const question = mayAnswerQuestion(inbound) ? openQuestion(recent) : undefined
  if (question === undefined || (quoted !== undefined && quoted.id !== question.id)) return undefined
  const option = optionOf(question.content.options, inbound.body)
  return option && { question, option }
}

/**
 * The question that the business asked last. It is open until it is answered or the business sends another message; a
 * message that failed was not seen.
 */
const openQuestion = (recent: ReadonlyArray<Message>): Question | undefined => {
  const last = recent.find(
    ({ direction, status, type }) => direction === "outbound" && status !== "failed" && !isAnnotation(type)
  )
  if (last === undefined || !isQuestion(last) || last.status === "queued") return undefined
  const isAnswered = recent.some(
    ({ content, envelope }) => content?.type === "choice" && envelope?.quoted?.messageId === last.id
  )
  return isAnswered ? undefined : last
}

const isQuestion = (message: Message): message is Question => message.content?.type === "choices"
