import { Schema } from "effect"
import {
  byType,
  isJsonRecord,
  listOfParts,
  type PathProblems,
  strictStruct,
  withRules
} from "../../kernel/input/StrictStruct.js"
import type { DefinedContent, DefinedFile } from "../../model/MessageContent.js"
import { type ContentType, contentInputs, FileInput } from "./ContentInput.js"

const typed = <T extends ContentType>(type: T) =>
  strictStruct(type, Schema.Struct({ type: Schema.Literal(type), ...contentInputs[type].fields }))

/** Options of one question have distinct ids, so that an answer names one option. */
const repeatedIds = (given: unknown): PathProblems => {
  const options: ReadonlyArray<unknown> = isJsonRecord(given) && Array.isArray(given.options) ? given.options : []
  const ids = options.map((option) => (isJsonRecord(option) ? option.id : undefined))
  return ids.flatMap((id, index) =>
    typeof id === "string" && ids.indexOf(id) < index
      ? [[["options", index, "id"], "is that of an earlier option"] as const]
      : []
  )
}

const messages = {
  location: typed("location"),
  contacts: typed("contacts"),
  choices: withRules(typed("choices"), repeatedIds)
}

/** `content` of a bot's message: {@link definedContent} without what needs a message to be about. */
export const messageContent = byType(messages).annotations({
  description: "`message.content` of a send, with its `type`. Its texts may have placeholders."
}) as Schema.Schema.Any as Schema.Schema<DefinedContent, unknown>

/**
 * `content` in a definition, such as a workflow or a bot: that of a send with its `type` in it. Texts may contain
 * placeholders; the limits of channels are checked when it is sent.
 */
export const definedContent: Schema.Schema<DefinedContent, unknown> = byType({
  ...messages,
  reaction: typed("reaction")
}).annotations({ description: "`message.content` of a send, with its `type`. Its texts may have placeholders." })

/** `attachments` in a definition. Their URLs may contain placeholders. */
export const definedFiles: Schema.Schema<ReadonlyArray<DefinedFile>, ReadonlyArray<unknown>> = listOfParts(
  strictStruct("a file", FileInput),
  30,
  1
)
