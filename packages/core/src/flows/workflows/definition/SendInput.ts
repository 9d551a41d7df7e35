import { Schema } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import { duration } from "../../../kernel/input/duration.js"
import {
  channelName,
  listOf,
  oneOf,
  optional,
  optionalText,
  requiredText,
  text,
  uuid
} from "../../../kernel/input/Fields.js"
import { hasValue, type JsonRecord, strictStruct } from "../../../kernel/input/StrictStruct.js"
import type { RequiredProgress, SendEmail, SendMessage } from "../../../model/Action.js"
import { day, minute } from "../../../model/Instant.js"
import { actionFields, type CommonFields } from "./actionFields.js"

/** How long a message's progress is waited for, where the action does not say. */
const defaultWithin = 10 * minute

/** The longest text of a message or an email, and the longest HTML of one, in characters. */
const maxTextLength = 65_536
const maxHtmlLength = 262_144

const wantedFields = {
  waitUntil: optional(oneOf<RequiredProgress["status"]>(["sent", "delivered", "read"])).pipe(
    Schema.fromKey("wait_until")
  ),
  within: optional(duration(7 * day))
}

const readWanted = (status: RequiredProgress["status"] | null, within: number | null): RequiredProgress | null =>
  status === null ? null : { status, withinMs: within ?? defaultWithin }

const writeWanted = (wanted: RequiredProgress | null) => ({
  waitUntil: wanted?.status ?? null,
  within: wanted?.withinMs ?? null
})

const withinProblems = (given: JsonRecord): Problems =>
  hasValue(given, "within") && !hasValue(given, "wait_until") ? { within: ["is for wait_until only"] } : {}

const isOneLine = (given: JsonRecord, field: string): Problems =>
  typeof given[field] === "string" && /[\r\n]/.test(given[field]) ? { [field]: ["must be one line"] } : {}

/** What a message says: a text or a template, each with its own fields, which the channel must be one for. */
const contentProblems = (given: JsonRecord): Problems => {
  const problemsAt = (fields: ReadonlyArray<string>, message: string): Problems =>
    Object.fromEntries(fields.filter((field) => hasValue(given, field)).map((field) => [field, [message]]))
  const isTemplate = hasValue(given, "template")
  if (!isTemplate && !hasValue(given, "body")) {
    return { body: ["is required unless template is given"], template: ["is required unless body is given"] }
  }
  return isTemplate
    ? problemsAt(["body", "subject"], "must not be given with template")
    : problemsAt(["language", "variables"], "is for a template only")
}

const sendMessageProblems = (given: JsonRecord): Problems => ({
  ...contentProblems(given),
  ...withinProblems(given),
  ...isOneLine(given, "subject"),
  ...(hasValue(given, "connection_id") && (!hasValue(given, "channel") || given.channel === "preferred")
    ? { connection_id: ["must be given with the channel that it is of"] }
    : {})
})

const sendMessageAction: Schema.Schema<SendMessage & CommonFields> = Schema.Any

/** `send_message` on the wire, where the fields distinguish text from template. */
export const sendMessage = strictStruct(
  "send_message",
  Schema.transform(
    Schema.Struct({
      ...actionFields("send_message"),
      channel: optional(channelName),
      connectionId: optional(uuid).pipe(Schema.fromKey("connection_id")),
      body: optionalText(maxTextLength),
      subject: optionalText(998),
      template: optionalText(512),
      language: optionalText(10),
      variables: optional(listOf(text(4_096), 100)),
      ...wantedFields
    }),
    sendMessageAction,
    {
      strict: true,
      decode: ({ body, channel, language, subject, template, variables, waitUntil, within, ...others }) => ({
        ...others,
        channel: channel ?? "preferred",
        content:
          template === null
            ? { type: "text" as const, body: body ?? "", subject }
            : { type: "template" as const, template, language, variables: variables ?? [] },
        wanted: readWanted(waitUntil, within)
      }),
      encode: ({ content, wanted, ...others }) => ({
        ...others,
        ...(content.type === "text"
          ? { body: content.body, subject: content.subject, template: null, language: null, variables: null }
          : {
              body: null,
              subject: null,
              template: content.template,
              language: content.language,
              variables: content.variables
            }),
        ...writeWanted(wanted)
      })
    }
  ),
  sendMessageProblems
)

const sendEmailAction: Schema.Schema<SendEmail & CommonFields> = Schema.Any

/** `send_email` on the wire. */
export const sendEmail = strictStruct(
  "send_email",
  Schema.transform(
    Schema.Struct({
      ...actionFields("send_email"),
      connectionId: optional(uuid).pipe(Schema.fromKey("connection_id")),
      subject: requiredText(998),
      body: requiredText(maxTextLength),
      html: optionalText(maxHtmlLength),
      ...wantedFields
    }),
    sendEmailAction,
    {
      strict: true,
      decode: ({ waitUntil, within, ...others }) => ({ ...others, wanted: readWanted(waitUntil, within) }),
      encode: ({ wanted, ...others }) => ({ ...others, ...writeWanted(wanted) })
    }
  ),
  (given) => ({ ...withinProblems(given), ...isOneLine(given, "subject") })
)
