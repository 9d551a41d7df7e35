import { invalid, type Refusal } from "@parley/core"
import { Either } from "effect"
import { preChatFields } from "./WebchatConfig.js"

/** A field of the form before the chat. */
export type PreChatField = (typeof preChatFields)[number]

/** The fields that a connection asks for. The config was checked when it was stored. */
export const preChatOf = ({ pre_chat: fields }: { readonly [key: string]: unknown }): ReadonlyArray<PreChatField> =>
  Array.isArray(fields) ? preChatFields.filter((field) => fields.includes(field)) : []

/**
 * The answers to the fields that the connection asks for, in their order. Each is required. What visitors say of
 * themselves is not proven, so it claims no identity of a contact (docs/reference/webchat.md#form-before-the-chat).
 */
export const readPreChat = (
  fields: ReadonlyArray<PreChatField>,
  given: { readonly [field: string]: string | null }
): Either.Either<{ readonly [field: string]: string }, Refusal> => {
  if (fields.length === 0) return Either.left(invalid({ form: ["is not asked for by this chat"] }))
  const answers: Record<string, string> = {}
  const problems: Record<string, ReadonlyArray<string>> = {}
  for (const field of fields) {
    const answer = (given[field] ?? "").replace(/\s+/g, " ").trim()
    answers[field] = answer
    const problem = problemOf(field, answer)
    if (problem !== null) problems[`form.${field}`] = [problem]
  }
  return Object.keys(problems).length > 0 ? Either.left(invalid(problems)) : Either.right(answers)
}

const problemOf = (field: PreChatField, answer: string): string | null => {
  if (answer === "") return "is required"
  return field === "email" && !/^[^\s@]+@[^\s@]+$/.test(answer) ? "must be an email address" : null
}
