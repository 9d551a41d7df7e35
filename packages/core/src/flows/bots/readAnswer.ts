import { Either } from "effect"
import { lengthOf } from "../../kernel/input/Fields.js"
import { keywordText } from "../../kernel/text/keywordText.js"
import type { BotSession } from "../../model/BotSession.js"
import type { Message } from "../../model/Message.js"
import type { Choice, Expected } from "../../model/Script.js"
import { normaliseHandle } from "../../resources/contacts/Handle.js"
import { yesNoKeywords } from "./yesNoKeywords.js"

/** A stored answer. */
export type AnswerValue = BotSession["answers"][string]

/** A valid answer and the next step; null: the step after the question. */
export interface ReadAnswer {
  readonly value: AnswerValue
  readonly goTo: string | null
}

/** Parses a customer's message as an answer. Fails with a hint for the customer. */
export const readAnswer = (
  expected: Expected,
  { body, content }: Pick<Message, "body" | "content">
): Either.Either<ReadAnswer, string> => {
  const text = body.trim()
  switch (expected.type) {
    case "choice":
      return readChoice(expected.choices, text, content?.type === "choice" ? content.id : null)
    case "text":
      return text !== "" && lengthOf(text) <= expected.maxLength
        ? answered(text)
        : Either.left(`Please answer in at most ${expected.maxLength} characters.`)
    case "number":
      return readNumber(expected, text)
    case "email":
      return Either.match(normaliseHandle("email", text), {
        onLeft: () => Either.left("Please answer with an email address."),
        onRight: answered
      })
    case "phone":
      return Either.match(normaliseHandle("phone", text), {
        onLeft: () => Either.left("Please answer with a phone number and its country code, such as +49 170 1234567."),
        onRight: answered
      })
    case "date":
      return readDate(text)
    case "yes_no": {
      const normalised = asWord(text)
      if (yesNoKeywords.yes.has(normalised)) return answered(true)
      return yesNoKeywords.no.has(normalised) ? answered(false) : Either.left("Please answer with yes or no.")
    }
  }
}

/** Normalises the text for comparison; empty if it is longer than any choice. */
const asWord = (text: string): string => (text.length > maxKeywordLength ? "" : keywordText(text))

const maxKeywordLength = 1_000

const answered = (value: AnswerValue): Either.Either<ReadAnswer, string> => Either.right({ value, goTo: null })

/**
 * Matches the id of a pressed option with the value of a choice; else number, text or value of a choice. A choice whose
 * text is a number wins over the position.
 */
const readChoice = (
  choices: ReadonlyArray<Choice>,
  text: string,
  id: string | null
): Either.Either<ReadAnswer, string> => {
  const normalised = asWord(text)
  const pressed = choices.find(({ value }) => value === id)
  if (pressed !== undefined) return Either.right({ value: pressed.value, goTo: pressed.goTo })
  const selected =
    choices.find((choice) => keywordText(choice.text) === normalised) ??
    (/^\d{1,3}$/.test(normalised) ? choices[Number(normalised) - 1] : undefined) ??
    choices.find((choice) => keywordText(choice.value) === normalised)
  return selected === undefined || normalised === ""
    ? Either.left("Please answer with one of these:")
    : Either.right({ value: selected.value, goTo: selected.goTo })
}

/**
 * Accepts point or comma before decimals. Three digits behind one (`1,000`) are ambiguous, so the question is repeated.
 */
const readNumber = (
  { max, min }: Expected & { readonly type: "number" },
  text: string
): Either.Either<ReadAnswer, string> => {
  const isNumber = /^[+-]?(?:\d{1,15}|0[.,]\d{1,15}|\d{1,15}[.,](?:\d{1,2}|\d{4,15}))$/.test(text)
  const value = isNumber ? Number(text.replace(",", ".")) : Number.NaN
  return value >= (min ?? Number.NEGATIVE_INFINITY) && value <= (max ?? Number.POSITIVE_INFINITY)
    ? answered(value)
    : Either.left(`Please answer with a number${bounds(min, max)}, such as ${exampleIn(min, max)}.`)
}

const bounds = (min: number | null, max: number | null): string => {
  if (min !== null && max !== null) return ` from ${min} to ${max}`
  if (min !== null) return ` of at least ${min}`
  return max === null ? "" : ` of at most ${max}`
}

const exampleIn = (min: number | null, max: number | null): number => min ?? Math.min(max ?? 1500, 1500)

/** Accepts `2026-05-04` and `4.5.2026`, stored in the first form. Slashes are refused: day and month are ambiguous. */
const readDate = (text: string): Either.Either<ReadAnswer, string> => {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const [, day = isoDay, month = isoMonth, year = isoYear] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? []
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`
  const midnight = Date.parse(`${date}T00:00Z`)
  // `Date` would read 31 June as 1 July.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
    ? answered(date)
    : Either.left("Please answer with a date, such as 2026-05-04.")
}
