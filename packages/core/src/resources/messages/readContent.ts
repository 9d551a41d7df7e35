import type { Problems } from "../../errors/Refusal.js"
import { lengthOf } from "../../kernel/input/Fields.js"
import type { Capabilities, ChannelDefinition, ChoiceLimits } from "../../model/Channel.js"
import type { Attachment } from "../../model/Message.js"
import type { ContentOf, SendType } from "../../model/MessageContent.js"
import type { Template } from "../../model/Template.js"
import type { Upload } from "../../model/Upload.js"
import { isKeptType, kindOf, unknownContentType } from "../attachments/describeFile.js"
import { maxFileBytes } from "../channels/maxFileBytes.js"
import { maxFilesOfSend, sendTypes } from "../channels/sendTypes.js"
import { isSendable, renderMail, renderTemplate, slotNames } from "../templates/templateSlots.js"
import { type ContentType, contentInputs, decodeContent } from "./ContentInput.js"
import { describeContent } from "./describeContent.js"
import { numberedText, numbersChoices } from "./numberedChoices.js"
import {
  exactly,
  headerFiles,
  partProblems,
  renderCards,
  type TemplateFields,
  templateContent
} from "./templateParts.js"

/** A file to send: one to fetch from a URL, or an upload. */
export type SentFile = Pick<Attachment, "type" | "contentType" | "fileName"> &
  ({ readonly url: string } | { readonly upload: Upload })

/** Content of a message. */
export type Content =
  | {
      readonly type: "text"
      readonly body: string
      readonly subject: string | null
      /** The text as HTML, for email. Default: null. */
      readonly html?: string | null
    }
  | {
      readonly type: "template"
      readonly template: Template
      readonly variables: ReadonlyArray<string>
      readonly body: string
      /** Null for a template that is its body only. */
      readonly content: ContentOf<"template"> | null
      /** The file of the header, if it has one, or those of the cards. */
      readonly files: ReadonlyArray<SentFile>
      /** Default: null, the template has none. */
      readonly subject?: string | null
      readonly html?: string | null
    }
  /** Content that is more than a text. `body` is the readable text. */
  | {
      readonly type: ContentType
      readonly content: ContentOf<ContentType>
      readonly body: string
      /** Of a question on a channel with subjects. Default: null. */
      readonly subject?: string | null
    }
  /** Files, with a caption or text in `body`; empty without one. */
  | {
      readonly type: "media"
      readonly files: ReadonlyArray<SentFile>
      readonly body: string
      readonly subject: string | null
    }
  /** A template that exists but may not be sent, or any template on a channel without templates. */
  | { readonly type: "unsendable" }

/** Why a file may not be fetched from a URL: a validation message (`must be …`), or null. */
export type UrlProblem = (url: string) => string | null

/** What the validation of content may read. */
export interface ContentWorld {
  /** Undefined if it is not readable or not known. */
  readonly channel: ChannelDefinition | undefined
  /** Capabilities of the connection to use; undefined without a connection. */
  readonly capabilities: Capabilities | undefined
  /** Further rules of the provider for a text: a validation message (`must be …`), or null. */
  readonly textProblem: (text: string) => string | null
  /** Default: no file may be fetched. */
  readonly urlProblem?: UrlProblem | undefined
  /** The uploads that the sender names and may send. Default: none. */
  readonly uploads?: ReadonlyArray<Upload> | undefined
  /** The templates of this name on the channel, one for each language. */
  readonly templates: ReadonlyArray<Template>
  /** Default language of the workspace. */
  readonly defaultLanguage: string | null
}

/** The readable fields of a text message. */
export interface TextFields {
  readonly body?: string | null
  readonly subject?: string | null
}

/** The readable fields of a message with `content`. */
export interface ContentFields extends TextFields {
  readonly content?: { readonly [field: string]: unknown } | null
}

/** The readable files of a message. */
export interface FileFields {
  readonly attachments?: ReadonlyArray<{
    readonly url: string | null
    readonly attachmentId?: string | null
    readonly contentType: string
    readonly fileName: string | null
  }> | null
}

/** The content or its problems. Neither if the decoder has already reported the problem. */
export interface ReadContent {
  readonly content: Content | null
  readonly problems: Problems
}

/**
 * Reads a text message (docs/reference/messages.md#text-messages): within the channel's limit, with a subject where the
 * channel has them.
 */
export const readText = (
  { capabilities, channel, textProblem }: ContentWorld,
  { body, subject }: TextFields
): ReadContent => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  // Only the caption of files may be empty.
  if (body === null || (body !== "" && body?.trim() === "")) problems.body = ["is required"]
  const limit = capabilities?.textMaxLength ?? null
  if (typeof body === "string" && limit !== null && lengthOf(body) > limit) {
    problems.body = [`must be at most ${limit} characters on this channel`]
  } else if (typeof body === "string") {
    const problem = textProblem(body)
    if (problem !== null) problems.body = [problem]
  }
  if (typeof subject === "string" && channel !== undefined && channel.subjects !== true) {
    problems.subject = ["is not possible on this channel"]
  }
  if (typeof subject === "string" && /[\r\n]/.test(subject)) problems.subject = ["must be one line"]
  return Object.keys(problems).length > 0 || typeof body !== "string"
    ? { content: null, problems }
    : { content: { type: "text", body, subject: subject ?? null }, problems }
}

type MessageFields = ContentFields & TemplateFields & FileFields

/** Reads the fields of a message of this type. Files and content of another type are refused instead of left out. */
export const readContent = (world: ContentWorld, type: SendType, fields: MessageFields): ReadContent => {
  const { content, problems } = readFieldsOf(world, type, fields)
  const misplaced = misplacedProblems(type, fields)
  return Object.keys(misplaced).length === 0
    ? { content, problems }
    : { content: null, problems: { ...problems, ...misplaced } }
}

const readFieldsOf = (world: ContentWorld, type: SendType, fields: MessageFields): ReadContent => {
  switch (type) {
    case "text":
      return readText(world, fields)
    case "media":
      return readMedia(world, fields)
    case "template":
      return readTemplate(world, fields)
    default:
      return readTypedContent(world, type, fields)
  }
}

/** Fields that a message of this type cannot carry (docs/reference/content.md#sending). */
const misplacedProblems = (type: SendType, { attachments, content, subject }: MessageFields): Problems => ({
  ...(type === "media" || type === "template" || (attachments?.length ?? 0) === 0
    ? {}
    : { attachments: ["are for the types media and template only"] }),
  ...(isContentType(type) || content == null
    ? {}
    : { content: [`is for the types ${Object.keys(contentInputs).join(", ")} only`] }),
  ...(isContentType(type) && type !== "choices" && typeof subject === "string" ? { subject: [leftOut(type)] } : {})
})

const isContentType = (type: SendType): type is ContentType => type in contentInputs

const leftOut = (type: SendType): string => `must be left out for the type ${type}`

/**
 * Reads a message with files (docs/reference/content.md#sending-files). `body` may be left out; it is the caption, or a
 * message of its own where it does not fit as one (`splitFiles.ts`).
 */
const readMedia = (world: ContentWorld, { attachments, body, subject }: FileFields & TextFields): ReadContent => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const { files = null } = world.capabilities ?? {}
  if (attachments === null || attachments?.length === 0) problems.attachments = ["is required for the type media"]
  if (attachments != null && files !== null && attachments.length > maxFilesOfSend(files)) {
    problems.attachments = [`must have at most ${maxFilesOfSend(files)} items on this channel`]
  }
  const read = readFiles(world, attachments ?? [])
  Object.assign(problems, read.problems)
  const caption =
    body === undefined
      ? null
      : readText(world, { body: body?.trim() ? body : "", ...(subject === undefined ? {} : { subject }) })
  Object.assign(problems, caption?.problems)
  return caption?.content?.type !== "text" || attachments == null || Object.keys(problems).length > 0
    ? { content: null, problems }
    : {
        content: {
          ...caption.content,
          type: "media",
          files: read.files
        },
        problems: {}
      }
}

/** The files of a send (docs/reference/content.md#sending-files), without those that have problems. */
const readFiles = (
  world: ContentWorld,
  attachments: NonNullable<FileFields["attachments"]>
): { readonly files: ReadonlyArray<SentFile>; readonly problems: Problems } => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const files: Array<SentFile> = []
  for (const [index, { attachmentId = null, contentType, fileName, url }] of attachments.entries()) {
    const problem = (field: string, message: string | null): void => {
      if (message !== null) problems[`attachments.${index}${field}`] = [message]
    }
    if ((url === null) === (attachmentId === null)) {
      problem("", "must have either url or attachment_id")
    } else if (url !== null) {
      // The type of a file without one is that of the response.
      problem(".content_type", contentType === unknownContentType ? null : typeProblem(world, contentType))
      problem(".url", world.urlProblem === undefined ? "cannot be fetched by this host" : world.urlProblem(url))
      files.push({ type: kindOf(contentType), contentType, fileName, url })
    } else {
      const upload = world.uploads?.find(({ id }) => id === attachmentId?.toLowerCase())
      if (contentType !== unknownContentType) problem(".content_type", "must be left out: an upload has its type")
      problem(".attachment_id", uploadProblem(world, upload))
      if (upload === undefined) continue
      const described = { contentType: upload.contentType, fileName: fileName ?? upload.fileName }
      files.push({ type: kindOf(upload.contentType), ...described, upload })
    }
  }
  return { files, problems }
}

const typeProblem = ({ capabilities }: ContentWorld, contentType: string): string | null => {
  const types = capabilities?.files?.types
  return types === undefined || isKeptType(types, contentType)
    ? null
    : `must be one of ${types.join(", ")} on this channel`
}

const uploadProblem = (world: ContentWorld, upload: Upload | undefined): string | null => {
  if (upload === undefined) return "is not an upload of this application, or has expired"
  const limits = world.capabilities?.files
  const limit = limits == null ? upload.size : maxFileBytes(limits, kindOf(upload.contentType))
  if (upload.size > limit) return `has ${upload.size} bytes and must have at most ${limit} on this channel`
  const wrong = typeProblem(world, upload.contentType)
  return wrong === null ? null : `is ${upload.contentType} and ${wrong}`
}

/**
 * A problem at `type` if the channel does not carry the type. Templates have a code of their own; choices can be
 * numbered.
 */
export const typeProblems = (type: SendType, capabilities: Capabilities | undefined): Problems =>
  type === "template" ||
  capabilities === undefined ||
  sendTypes(capabilities).includes(type) ||
  (type === "choices" && numbersChoices(capabilities))
    ? {}
    : { type: [`must be one of ${sendTypes(capabilities).join(", ")} on this channel`] }

/**
 * Reads a message with `content` (docs/reference/content.md#sending). Of `choices`, `body` is the question; of other
 * types it must be absent, because it follows from the content.
 */
const readTypedContent = (world: ContentWorld, type: ContentType, fields: ContentFields): ReadContent => {
  const { content: given } = fields
  if (given === undefined) return { content: null, problems: {} }
  if (given === null) return { content: null, problems: { content: [`is required for the type ${type}`] } }
  const { content, problems: found } = decodeContent(type, given)
  const problems = Object.fromEntries(Object.entries(found).map(([field, message]) => [`content.${field}`, message]))
  if (type === "choices") {
    const question = readText(
      shortened(world, world.capabilities?.choices?.questionLength),
      asSent(world, content, fields)
    )
    const limits = content?.type === "choices" ? choiceProblems(content, world.capabilities?.choices ?? null) : {}
    const all = { ...problems, ...question.problems, ...limits }
    return content === null || question.content?.type !== "text" || Object.keys(all).length > 0
      ? { content: null, problems: all }
      : { content: { type, content, body: fields.body ?? "", subject: question.content.subject }, problems: {} }
  }
  const more = {
    ...(typeof fields.body === "string" ? { body: [leftOut(type)] } : {}),
    ...locationProblems(content, world.capabilities),
    ...reactionProblems(content, world.capabilities)
  }
  return content === null || Object.keys(more).length > 0
    ? { content: null, problems: { ...problems, ...more } }
    : { content: { type, content, body: describeContent(content) }, problems: {} }
}

/** A location's url is refused where it would be lost. */
const locationProblems = (content: ContentOf<ContentType> | null, capabilities: Capabilities | undefined): Problems =>
  content?.type === "location" &&
  content.url !== null &&
  capabilities !== undefined &&
  capabilities.locationUrls !== true
    ? { "content.url": ["is not possible on this channel"] }
    : {}

/** Number of emoji that a problem lists. */
const listedReactions = 10

/** An emoji is refused that the channel takes for no reaction. Variation selectors do not count. */
const reactionProblems = (
  content: ContentOf<ContentType> | null,
  { reactions }: Pick<Capabilities, "reactions"> = {}
): Problems => {
  if (content?.type !== "reaction" || content.emoji === null || reactions === undefined) return {}
  if (reactions.includes(content.emoji.replaceAll("\uFE0F", ""))) return {}
  const others = reactions.length - listedReactions
  const more = others > 0 ? ` and ${others} others in capabilities.reactions` : ""
  return {
    "content.emoji": [`must be one of ${reactions.slice(0, listedReactions).join(", ")}${more} on this channel`]
  }
}

/** The text fields of a question as they are sent: with its options where they are numbered text. */
const asSent = (
  { capabilities }: ContentWorld,
  content: ContentOf<ContentType> | null,
  fields: ContentFields
): TextFields =>
  capabilities !== undefined &&
  numbersChoices(capabilities) &&
  content?.type === "choices" &&
  typeof fields.body === "string"
    ? { ...fields, body: numberedText(fields.body, content.options) }
    : fields

/** The rules of a text that is also at most this long. */
const shortened = (world: ContentWorld, limit: number | undefined): ContentWorld =>
  limit === undefined || world.capabilities === undefined
    ? world
    : { ...world, capabilities: { ...world.capabilities, textMaxLength: limit } }

/** The options within the limits of the channel. Ids are distinct, so that an answer names one option. */
const choiceProblems = ({ button, options }: ContentOf<"choices">, limits: ChoiceLimits | null): Problems => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const atMost = (field: string, value: string | null, max: number | undefined) => {
    if (max !== undefined && lengthOf(value ?? "") > max) {
      problems[`content.${field}`] = [
        max === 0 ? "is not possible on this channel" : `must be at most ${max} characters on this channel`
      ]
    }
  }
  if (limits !== null && options.length > limits.options) {
    problems["content.options"] = [`must have at most ${limits.options} items on this channel`]
  }
  // A label that the channel does not show does no harm.
  if ((limits?.buttonLength ?? 0) > 0) atMost("button", button, limits?.buttonLength)
  const ids = new Set<string>()
  for (const [index, { description, id, title }] of options.entries()) {
    atMost(`options.${index}.id`, id, limits?.idLength)
    atMost(`options.${index}.title`, title, limits?.titleLength)
    atMost(`options.${index}.description`, description, limits?.descriptionLength)
    if (ids.has(id)) problems[`content.options.${index}.id`] = ["is that of an earlier option"]
    ids.add(id)
  }
  return problems
}

/**
 * Reads a template message (docs/reference/messages.md#template-messages). Whether the template may be sent is checked
 * before its variables.
 */
export const readTemplate = (world: ContentWorld, fields: TemplateFields & FileFields): ReadContent => {
  const { language, template: name, variables } = fields
  const problem = (field: string, message: string): ReadContent => ({ content: null, problems: { [field]: [message] } })
  if (name === undefined) return { content: null, problems: {} }
  if (name === null) return problem("template", "is required")
  if (world.capabilities?.templates === false) return { content: { type: "unsendable" }, problems: {} }
  if (world.templates.length === 0) return problem("template", "is not a template of this workspace on this channel")
  const template = chooseLanguage(world, language ?? null)
  if (template === undefined) {
    const languages = world.templates.map((one) => one.language).sort()
    return problem("language", `must be one of this template's languages: ${languages.join(", ")}`)
  }
  if (!isSendable(template)) return { content: { type: "unsendable" }, problems: {} }
  if (variables === undefined) return { content: null, problems: {} }
  const values = variables ?? []
  const slots = slotNames(template)
  const wrong = values.length !== slots.length ? { variables: [exactly(slots.length, "slot")] } : {}
  const { files, problems: fileProblems } = readFiles(world, fields.attachments ?? [])
  const count = fields.attachments === undefined ? undefined : (fields.attachments?.length ?? 0)
  const given = { count, files, limits: world.capabilities?.headerFiles }
  const problems = { ...wrong, ...fileProblems, ...partProblems(template.parts, fields, given) }
  if (Object.keys(problems).length > 0) return { content: null, problems }
  const body = [renderTemplate(template, values, slots), ...renderCards(template.parts, fields)].join("\n")
  const content = template.parts === null ? null : templateContent(template.parts, fields, values, slots)
  const mail = renderMail(template, values, slots)
  const sent = headerFiles(template.parts, files)
  return { content: { type: "template", template, variables: values, body, content, files: sent, ...mail }, problems }
}

/** The requested language; else the template's only one; else the workspace's default. */
const chooseLanguage = ({ defaultLanguage, templates }: ContentWorld, language: string | null): Template | undefined =>
  language === null && templates.length === 1
    ? templates[0]
    : templates.find((template) => template.language === (language ?? defaultLanguage))
