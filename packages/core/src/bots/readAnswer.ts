import { Either } from "effect"
import { normaliseHandle } from "../contacts/Handle.js"
import { plainText } from "../contacts/plainText.js"
import { lengthOf } from "../input/Fields.js"
import { yesNoWords } from "./answerWords.js"
import type { BotSession } from "./BotSession.js"
import type { Choice, Expected } from "./Script.js"

/** What a customer said to a question, as it is kept. */
export type AnswerValue = BotSession["answers"][string]

/** An answer that is one of those expected, and the step that it leads to; null: whichever follows the question. */
export interface ReadAnswer {
  readonly value: AnswerValue
  readonly goTo: string | null
}

/** What a customer wrote, as an answer to a question; or what the question wants, in words for them. */
export const readAnswer = (expected: Expected, written: string): Either.Either<ReadAnswer, string> => {
  const text = written.trim()
  switch (expected.type) {
    case "choice":
      return readChoice(expected.choices, text)
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
      const said = asWord(text)
      if (yesNoWords.yes.has(said)) return answered(true)
      return yesNoWords.no.has(said) ? answered(false) : Either.left("Please answer with yes or no.")
    }
  }
}

/** The choices with their numbers, a line each, as a customer is shown them. */
export const numbered = (choices: ReadonlyArray<Choice>): string =>
  choices.map(({ text }, index) => `${index + 1}. ${text}`).join("\n")

/** Longer than any choice, it is none. */
const asWord = (text: string): string => (text.length > longestWord ? "" : plainText(text))

const longestWord = 1_000

const answered = (value: AnswerValue): Either.Either<ReadAnswer, string> => Either.right({ value, goTo: null })

/** By its number, its text or its value. A text that is a number itself comes first: what the customer reads counts. */
const readChoice = (choices: ReadonlyArray<Choice>, text: string): Either.Either<ReadAnswer, string> => {
  const said = asWord(text)
  const chosen =
    choices.find((choice) => plainText(choice.text) === said) ??
    (/^\d{1,3}$/.test(said) ? choices[Number(said) - 1] : undefined) ??
    choices.find((choice) => plainText(choice.value) === said)
  return chosen === undefined || said === ""
    ? Either.left(`Please answer with one of these:\n${numbered(choices)}`)
    : Either.right({ value: chosen.value, goTo: chosen.goTo })
}

/**
 * Point or comma before the decimals, as customers write them. With three digits behind (`1,000`), nobody knows whether they
 * are decimals or thousands, so that is asked again.
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

/** `2026-05-04` or `4.5.2026`; with slashes, nobody knows which is the day. Kept in the first form. */
const readDate = (text: string): Either.Either<ReadAnswer, string> => {
  const [, isoYear, isoMonth, isoDay] = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(text) ?? []
  const [, day = isoDay, month = isoMonth, year = isoYear] = /^(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})$/.exec(text) ?? []
  const date = `${year}-${month?.padStart(2, "0")}-${day?.padStart(2, "0")}`
  const midnight = Date.parse(`${date}T00:00Z`)
  // A day that its month does not have would be read as one of the next month.
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date)
    ? answered(date)
    : Either.left("Please answer with a date, such as 2026-05-04.")
}
