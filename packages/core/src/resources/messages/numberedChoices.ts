import { keywordText } from "../../kernel/text/keywordText.js"
import type { Capabilities } from "../../model/Channel.js"
import type { Message } from "../../model/Message.js"
import type { ContentOf, MessageContent } from "../../model/MessageContent.js"
import { sendTypes } from "../channels/sendTypes.js"

type Option = Pick<ContentOf<"choices">["options"][number], "title"> & { readonly description?: string | null }

/**
 * Whether a channel has no choices, so that they are sent as numbered text
 * (docs/reference/content.md#numbered-choices).
 */
export const numbersChoices = (capabilities: Capabilities): boolean => {
  const types = sendTypes(capabilities)
  return types.includes("text") && !types.includes("choices")
}

/** A question and its options as text: one option a line, with its number. */
export const numberedText = (question: string, options: ReadonlyArray<Option>): string =>
  [
    question,
    ...options.map(
      ({ description = null, title }, index) =>
        `${index + 1}. ${title}${description === null || description === "" ? "" : `: ${description}`}`
    )
  ].join("\n")

/** Body and content of a message as a channel with these capabilities carries them. */
export const carriedContent = (
  { body, content }: Pick<Message, "body" | "content">,
  capabilities: Capabilities
): { readonly body: string; readonly content: MessageContent | null } =>
  content?.type === "choices" && numbersChoices(capabilities)
    ? { body: numberedText(body, content.options), content: null }
    : { body, content }

/** Texts longer than this name no option, in UTF-16 units. */
export const maxOptionText = 1_000

/**
 * The option that a text names by its title or its number, ignoring case, accents and surrounding punctuation. A title
 * that is a number wins over the position. Undefined if it names none, or several options have the title.
 */
export const optionOf = <O extends Option>(options: ReadonlyArray<O>, text: string): O | undefined => {
  const said = text.length > maxOptionText ? "" : keywordText(text)
  if (said === "") return undefined
  const titled = options.filter(({ title }) => keywordText(title) === said)
  if (titled.length > 0) return titled.length === 1 ? titled[0] : undefined
  return /^\d{1,3}$/.test(said) ? options[Number(said) - 1] : undefined
}
