import { Schema } from "effect"
import { day, minute } from "../Instant.js"
import { closed } from "../input/Closed.js"
import { listOf, optionalText, requiredText, uuid } from "../input/Fields.js"
import { clearable, given } from "../input/Patch.js"
import { duration } from "../workflows/definition/duration.js"
import type { BotStep, Script } from "./Script.js"
import { mostText, steps } from "./StepInput.js"

const defaultTimeOut = 30 * minute
const nothingStarts: Script["start"] = { keywords: [], newConversationOn: [] }

const ownList = <A>(list: Schema.Schema<ReadonlyArray<A>, ReadonlyArray<unknown>>) =>
  Schema.optionalWith(list, { default: (): ReadonlyArray<A> => [] })

const start: Schema.Schema<Script["start"], unknown> = closed(
  "start",
  Schema.Struct({
    keywords: ownList(listOf(requiredText(100), 50)),
    newConversationOn: ownList(listOf(uuid, 100)).pipe(Schema.fromKey("new_conversation_on"))
  })
)
const timeOut = duration(30 * day)

/** The fields of a script, of a body that makes a bot: what is left out is nothing, and it times out after 30 minutes. */
export const scriptFields = {
  start: Schema.optionalWith(start, { default: () => nothingStarts }),
  greeting: optionalText(mostText),
  steps: Schema.optionalWith(steps, { default: (): ReadonlyArray<BotStep> => [] }),
  timeOutMs: Schema.optionalWith(timeOut, { default: () => defaultTimeOut }).pipe(Schema.fromKey("time_out")),
  timeOutText: optionalText(mostText).pipe(Schema.fromKey("time_out_text"))
}

/** The fields of a script, of a PATCH: each is replaced as a whole. */
export const scriptPatchFields = {
  start: given(start),
  greeting: clearable(requiredText(mostText)),
  steps: given(steps),
  timeOutMs: given(timeOut).pipe(Schema.fromKey("time_out")),
  timeOutText: clearable(requiredText(mostText)).pipe(Schema.fromKey("time_out_text"))
}

/** The fields of a script on the wire of the administration. */
export const scriptResourceFields = {
  start,
  greeting: Schema.NullOr(Schema.String),
  steps,
  timeOutMs: Schema.propertySignature(timeOut).pipe(Schema.fromKey("time_out")),
  timeOutText: Schema.propertySignature(Schema.NullOr(Schema.String)).pipe(Schema.fromKey("time_out_text"))
}

/** What a bot says, as an input has it. */
export const scriptOf = ({ greeting, start, steps, timeOutMs, timeOutText }: Script): Script => ({
  start,
  greeting,
  steps,
  timeOutMs,
  timeOutText
})
