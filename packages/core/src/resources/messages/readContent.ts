import type { Problems } from "../../errors/Refusal.js"
import { lengthOf } from "../../kernel/input/Fields.js"
import type { Capabilities, Channel } from "../../model/Channel.js"
import type { Template } from "../../model/Template.js"
import { isSendable, renderTemplate, slotNames } from "../templates/slots.js"

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
    }
  /** A template that exists but may not be sent, or any template on a channel without templates. */
  | { readonly type: "unsendable" }

/** What the validation of content may read. */
export interface ContentWorld {
  /** Undefined if it is not readable. */
  readonly channel: Channel | undefined
  /** Capabilities of the connection to use; undefined without a connection. */
  readonly capabilities: Capabilities | undefined
  /** Further rules of the provider for a text: a validation message (`must be …`), or null. */
  readonly textProblem: (text: string) => string | null
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

/** The readable fields of a template message. */
export interface TemplateFields {
  readonly template?: string | null
  readonly language?: string | null
  readonly variables?: ReadonlyArray<string> | null
}

/** The content or its problems. Neither if the decoder has already reported the problem. */
export interface ReadContent {
  readonly content: Content | null
  readonly problems: Problems
}

/**
 * Reads a text message (docs/reference/messages.md#text-messages): within the channel's limit, with a subject on email
 * only.
 */
export const readText = (
  { capabilities, channel, textProblem }: ContentWorld,
  { body, subject }: TextFields
): ReadContent => {
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  if (body === null) problems.body = ["is required"]
  const limit = capabilities?.textMaxLength ?? null
  if (typeof body === "string" && limit !== null && lengthOf(body) > limit) {
    problems.body = [`must be at most ${limit} characters on this channel`]
  } else if (typeof body === "string") {
    const problem = textProblem(body)
    if (problem !== null) problems.body = [problem]
  }
  if (typeof subject === "string" && channel !== undefined && channel !== "email") {
    problems.subject = ["is for email only"]
  }
  if (typeof subject === "string" && /[\r\n]/.test(subject)) problems.subject = ["must be one line"]
  return Object.keys(problems).length > 0 || typeof body !== "string"
    ? { content: null, problems }
    : { content: { type: "text", body, subject: subject ?? null }, problems }
}

/**
 * Reads a template message (docs/reference/messages.md#template-messages). Whether the template may be sent is checked
 * before its variables.
 */
export const readTemplate = (
  world: ContentWorld,
  { language, template: name, variables }: TemplateFields
): ReadContent => {
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
  const slots = slotNames(template.body)
  if (values.length !== slots.length) {
    return problem("variables", `must have exactly ${slots.length} items, one for each slot`)
  }
  return {
    content: { type: "template", template, variables: values, body: renderTemplate(template.body, values, slots) },
    problems: {}
  }
}

/** The requested language; else the template's only one; else the workspace's default. */
const chooseLanguage = ({ defaultLanguage, templates }: ContentWorld, language: string | null): Template | undefined =>
  language === null && templates.length === 1
    ? templates[0]
    : templates.find((template) => template.language === (language ?? defaultLanguage))
