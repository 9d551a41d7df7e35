import { Schema } from "effect"
import { duration } from "../../kernel/input/duration.js"
import { listOf, optionalText, requiredText, uuid } from "../../kernel/input/Fields.js"
import { clearable, given } from "../../kernel/input/Patch.js"
import { strictStruct } from "../../kernel/input/StrictStruct.js"
import { sampleIds } from "../../kernel/input/samples.js"
import { field, wire } from "../../kernel/input/wire.js"
import { day, minute } from "../../model/Instant.js"
import type { BotStep, Script } from "../../model/Script.js"
import { maxTextLength, steps } from "./StepInput.js"

const defaultTimeOut = 30 * minute
const nothingStarts: Script["start"] = { keywords: [], newConversationOn: [] }

const ownList = <A>(list: Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>>) =>
  Schema.optionalWith(list, { default: (): ReadonlyArray<A> => [] })

const start: Schema.Schema<Script["start"], unknown> = strictStruct(
  "start",
  Schema.Struct({
    keywords: ownList(listOf(requiredText(100), 50)),
    newConversationOn: ownList(listOf(uuid, 100)).pipe(Schema.fromKey("new_conversation_on"))
  })
)
const timeOut = duration(30 * day)

const meanings = {
  start: {
    description: "Keywords that start it if a message consists of one; connections whose new conversations start it."
  },
  greeting: { description: "Sent before the first step; null: nothing.", examples: ["Hello {{contact.first_name}}!"] },
  steps: { description: "Its messages and questions, in this order; if empty, the host's responder answers." },
  timeOut: { description: "Timeout of an answer; the dialogue then ends." },
  timeOutText: {
    description: "Sent when it ends without an answer; null: nothing.",
    examples: ["Write again whenever you like."]
  }
} as const

/**
 * The fields of a script, of a body that makes a bot: what is left out is nothing, and it times out after 30 minutes.
 */
export const scriptFields = {
  start: field(Schema.optionalWith(start, { default: () => nothingStarts }), meanings.start),
  greeting: field(optionalText(maxTextLength), meanings.greeting),
  steps: field(Schema.optionalWith(steps, { default: (): ReadonlyArray<BotStep> => [] }), meanings.steps),
  timeOutMs: wire("time_out", Schema.optionalWith(timeOut, { default: () => defaultTimeOut }), meanings.timeOut),
  timeOutText: wire("time_out_text", optionalText(maxTextLength), meanings.timeOutText)
}

/** The fields of a script, of a PATCH: each is replaced as a whole. */
export const scriptPatchFields = {
  start: field(given(start), meanings.start),
  greeting: field(clearable(requiredText(maxTextLength)), meanings.greeting),
  steps: field(given(steps), meanings.steps),
  timeOutMs: wire("time_out", given(timeOut), meanings.timeOut),
  timeOutText: wire("time_out_text", clearable(requiredText(maxTextLength)), meanings.timeOutText)
}

/** The fields of a script on the wire of the administration. */
export const scriptResourceFields = {
  start: field(start, {
    ...meanings.start,
    examples: [{ keywords: ["demo"], newConversationOn: [sampleIds.connection] }]
  }),
  greeting: field(Schema.NullOr(Schema.String), meanings.greeting),
  steps: field(steps, meanings.steps),
  timeOutMs: wire("time_out", timeOut, meanings.timeOut),
  timeOutText: wire("time_out_text", Schema.NullOr(Schema.String), meanings.timeOutText)
}

/** The script of an input, without its other fields. */
export const scriptOf = ({ greeting, start, steps, timeOutMs, timeOutText }: Script): Script => ({
  start,
  greeting,
  steps,
  timeOutMs,
  timeOutText
})
