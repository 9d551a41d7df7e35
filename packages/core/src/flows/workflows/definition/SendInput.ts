import { Schema } from "effect"
import type { Problems } from "../../../errors/Refusal.js"
import { duration } from "../../../kernel/input/duration.js"
import {
  channelName,
  FieldMessage,
  isUuid,
  listOf,
  oneOf,
  optional,
  optionalText,
  requiredText,
  text,
  uuid
} from "../../../kernel/input/Fields.js"
import {
  hasValue,
  isJsonRecord,
  type JsonRecord,
  listOfParts,
  strictStruct
} from "../../../kernel/input/StrictStruct.js"
import type { RequiredProgress, SendEmail, SendMessage } from "../../../model/Action.js"
import { day, minute } from "../../../model/Instant.js"
import type { CardValues, DefinedContent, DefinedFile, ProductValues } from "../../../model/MessageContent.js"
import { hasPlaceholder } from "../../../resources/contacts/placeholders.js"
import { CardInput, ProductsInput } from "../../../resources/messages/ContentInput.js"
import { definedContent, definedFiles } from "../../../resources/messages/DefinedContentInput.js"
import { actionFields, type CommonFields } from "./actionFields.js"

/** Default time to wait for a message's progress. */
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

const subjectProblems = ({ subject }: JsonRecord): Problems =>
  typeof subject === "string" && /[\r\n]/.test(subject) ? { subject: ["must be one line"] } : {}

const templateFields = ["language", "variables", "header_variable", "button_variables", "cards", "products"]

/** A message is a text, a template, files or content, each with its own fields, which the channel must be one for. */
const contentProblems = (given: JsonRecord): Problems => {
  const problemsAt = (fields: ReadonlyArray<string>, message: string): Problems =>
    Object.fromEntries(fields.filter((field) => hasValue(given, field)).map((field) => [field, [message]]))
  if (hasValue(given, "template")) return problemsAt(["body", "subject", "content"], "must not be given with template")
  const misplaced = problemsAt(templateFields, "is for a template only")
  if (hasValue(given, "content")) {
    const type = isJsonRecord(given.content) ? given.content.type : undefined
    const asks = type === "choices"
    return {
      ...misplaced,
      ...problemsAt(["attachments"], "must not be given with content"),
      ...(asks ? {} : problemsAt(["body", "subject"], "must not be given with content other than choices")),
      ...(asks && !hasValue(given, "body") ? { body: ["is required with choices: it is the question"] } : {}),
      ...(type === "reaction" && !hasValue(given, "quoted") ? { quoted: ["is required with a reaction"] } : {})
    }
  }
  if (hasValue(given, "body") || hasValue(given, "attachments")) return misplaced
  return {
    body: ["is required unless template, content or attachments is given"],
    template: ["is required unless body, content or attachments is given"]
  }
}

const sendMessageProblems = (given: JsonRecord): Problems => ({
  ...contentProblems(given),
  ...withinProblems(given),
  ...subjectProblems(given),
  ...(hasValue(given, "connection_id") && (!hasValue(given, "channel") || given.channel === "preferred")
    ? { connection_id: ["must be given with the channel that it is of"] }
    : {})
})

const quotedId = text(1_000).pipe(
  Schema.filter((given) => isUuid(given) || hasPlaceholder(given), {
    jsonSchema: { type: "string", maxLength: 1_000 },
    [FieldMessage]: "must be the id of a message, or text with a placeholder that makes one"
  })
)

/** A message of a kind, by its wire fields. What is left out stays absent, as in definitions without these fields. */
const contentOf = ({ content, files, ...given }: GivenContent): SendMessage["content"] => {
  const { body, buttonVariables, cards, headerVariable, language, products, subject, template, variables } = given
  if (template !== null) {
    return {
      type: "template",
      template,
      language,
      variables: variables ?? [],
      ...(headerVariable === null ? {} : { headerVariable }),
      ...(buttonVariables === null ? {} : { buttonVariables }),
      ...(cards === null ? {} : { cards }),
      ...(products === null ? {} : { products }),
      ...(files === null ? {} : { files })
    }
  }
  if (content !== null) return { type: content.type, body, subject, content }
  return files === null ? { type: "text", body: body ?? "", subject } : { type: "media", body, subject, files }
}

interface GivenContent {
  readonly body: string | null
  readonly subject: string | null
  readonly template: string | null
  readonly language: string | null
  readonly variables: ReadonlyArray<string> | null
  readonly headerVariable: string | null
  readonly buttonVariables: ReadonlyArray<string> | null
  readonly cards: ReadonlyArray<CardValues> | null
  readonly products: ProductValues | null
  readonly content: DefinedContent | null
  readonly files: ReadonlyArray<DefinedFile> | null
}

const noContent: GivenContent = {
  body: null,
  subject: null,
  template: null,
  language: null,
  variables: null,
  headerVariable: null,
  buttonVariables: null,
  cards: null,
  products: null,
  content: null,
  files: null
}

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
      headerVariable: optionalText(4_096).pipe(Schema.fromKey("header_variable")),
      buttonVariables: optional(listOf(text(4_096), 10)).pipe(Schema.fromKey("button_variables")),
      cards: optional(listOfParts(strictStruct("a card", CardInput), 10, 1)),
      products: optional(strictStruct("products", ProductsInput)),
      content: optional(definedContent),
      files: optional(definedFiles).pipe(Schema.fromKey("attachments")),
      quoted: optional(quotedId),
      ...wantedFields
    }),
    sendMessageAction,
    {
      strict: true,
      decode: ({
        body,
        buttonVariables,
        cards,
        channel,
        content,
        files,
        headerVariable,
        language,
        products,
        quoted,
        subject,
        template,
        variables,
        waitUntil,
        within,
        ...others
      }) => ({
        ...others,
        channel: channel ?? "preferred",
        content: contentOf({
          ...{ body, subject, template, language, variables },
          ...{ headerVariable, buttonVariables, cards, products, content, files }
        }),
        ...(quoted === null ? {} : { quoted }),
        wanted: readWanted(waitUntil, within)
      }),
      encode: ({ content: { type: _, ...given }, quoted = null, wanted, ...others }) => ({
        ...others,
        ...noContent,
        ...given,
        quoted,
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
  (given) => ({ ...withinProblems(given), ...subjectProblems(given) })
)
