import type { Capabilities, Channel } from "../channels/Channel.js"
import type { Problems } from "../errors/Refusal.js"
import { lengthOf } from "../input/Fields.js"
import { isSendable, renderTemplate, slotNames } from "../templates/slots.js"
import type { Template } from "../templates/Template.js"

/** What a message says. */
export type Content =
  | {
      readonly type: "text"
      readonly body: string
      readonly subject: string | null
      /** The same as HTML, for email. Default: null. */
      readonly html?: string | null
    }
  | {
      readonly type: "template"
      readonly template: Template
      readonly variables: ReadonlyArray<string>
      readonly body: string
    }
  /** A template that exists and may not be sent, or a channel that has none. */
  | { readonly type: "unsendable" }

/** What a content is read against. */
export interface ContentWorld {
  /** Undefined where it could not be read. */
  readonly channel: Channel | undefined
  /** Of the connection to use; undefined where there is none. */
  readonly capabilities: Capabilities | undefined
  /** What else its provider has against a text, in our own words (`must be …`); null where nothing. */
  readonly textProblem: (text: string) => string | null
  /** Those of the template's name on the channel, one a language. */
  readonly templates: ReadonlyArray<Template>
  /** Of the workspace. */
  readonly defaultLanguage: string | null
}

/** The fields of a text, as far as they could be read. */
export interface TextFields {
  readonly body?: string | null
  readonly subject?: string | null
}

/** The fields of a template message, as far as they could be read. */
export interface TemplateFields {
  readonly template?: string | null
  readonly language?: string | null
  readonly variables?: ReadonlyArray<string> | null
}

/** The content, or what is wrong with its fields. Neither, where what is wrong was told already. */
export interface ReadContent {
  readonly content: Content | null
  readonly problems: Problems
}

/** A text (decisions.md §7): one that the channel takes, with a subject in emails alone. */
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

/** A template with its variables (decisions.md §7). Whether it may be sent is looked at before they are. */
export const readTemplate = (
  world: ContentWorld,
  { language, template: name, variables }: TemplateFields
): ReadContent => {
  const problem = (field: string, words: string): ReadContent => ({ content: null, problems: { [field]: [words] } })
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

/** The language named, else the template's only one, else the workspace's default. */
const chooseLanguage = ({ defaultLanguage, templates }: ContentWorld, language: string | null): Template | undefined =>
  language === null && templates.length === 1
    ? templates[0]
    : templates.find((template) => template.language === (language ?? defaultLanguage))
