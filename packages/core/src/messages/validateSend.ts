import { Either, Option } from "effect"
import { type Recalled, recall } from "../access/recall.js"
import type { Channel } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import { invalid, type Problems, type Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { joinProblems } from "../input/Draft.js"
import { lengthOf } from "../input/Fields.js"
import { isSendable, renderTemplate, slotNames } from "../templates/slots.js"
import type { Template } from "../templates/Template.js"
import type { SendCommand } from "./SendCommand.js"
import type { SendWorld } from "./SendWorld.js"

/** A send whose fields are all in order. */
export interface ValidSend {
  readonly channel: Channel
  /** Normalised. */
  readonly handle: string
  readonly externalReference: string | null
  /** The connection to use; none where the application may use none on this channel. */
  readonly connection: Connection | undefined
  readonly content:
    | { readonly type: "text"; readonly body: string; readonly subject: string | null }
    | {
        readonly type: "template"
        readonly template: Template
        readonly variables: ReadonlyArray<string>
        readonly body: string
      }
    /** A template that exists and may not be sent, or a channel that has none. */
    | { readonly type: "unsendable" }
}

/**
 * Steps 7 and 8 of decisions.md §2 for `POST /messages`: the answer to repeat, or every problem of the input at once, or
 * what is to be sent.
 */
export const validateSend = (
  world: SendWorld,
  command: SendCommand,
  now: Instant
): Either.Either<CheckedSend, Refusal> =>
  Either.flatMap(
    recall(world.record, command.idempotency, now),
    (recalled): Either.Either<CheckedSend, Refusal> =>
      recalled === null ? Either.map(validate(world, command), (valid) => ({ valid })) : Either.right({ recalled })
  )

/** A send that was carried out before, or one that may be now. */
export type CheckedSend = { readonly recalled: Recalled } | { readonly valid: ValidSend }

const validate = (world: SendWorld, { draft: { value, problems } }: SendCommand): Either.Either<ValidSend, Refusal> => {
  const connection = chooseConnection(world, value.channel, value.connectionId ?? null)
  const recipient = readRecipient(world, value.channel, connection)
  const content =
    value.type === "template" ? readTemplate(world, value, connection) : readText(world, value, connection)
  const found = [problems, connectionProblems(value.channel, connection), recipient.problems, content.problems].filter(
    (some) => Object.keys(some).length > 0
  )
  const optedOut =
    world.contact?.optedOut === true
      ? "has opted out of messages"
      : content.content?.type === "template" &&
          content.content.template.category === "marketing" &&
          world.contact?.marketingOptedOut
        ? "has opted out of marketing messages"
        : null
  if (optedOut !== null) found.push({ to: [optedOut] })
  if (found.length > 0) return Either.left(invalid(found.reduce(joinProblems)))
  return Either.right({
    channel: value.channel as Channel,
    handle: recipient.handle as string,
    externalReference: value.externalReference ?? null,
    connection,
    content: content.content as ValidSend["content"]
  })
}

/**
 * The connection named, where the application may use it; else that of the newest conversation with the handle, active
 * ones first, else the oldest (decisions.md §7).
 */
const chooseConnection = (
  world: SendWorld,
  channel: Channel | undefined,
  id: string | null
): Connection | undefined => {
  const { application } = world.caller
  const usable = world.connections.filter(
    (connection) =>
      application.connectionIds.includes(connection.id) && connection.isTest === (application.mode === "test")
  )
  if (id !== null) return usable.find((connection) => connection.id === id)
  const lastTalk = (connection: Connection) =>
    world.conversations.find(({ connectionId }) => connectionId === connection.id)?.lastActivityAt ?? 0
  return usable
    .filter((connection) => connection.channel === channel)
    .sort(
      (one, other) =>
        Number(other.status === "active") - Number(one.status === "active") ||
        lastTalk(other) - lastTalk(one) ||
        one.createdAt - other.createdAt ||
        (one.id < other.id ? -1 : 1)
    )[0]
}

const connectionProblems = (channel: Channel | undefined, connection: Connection | undefined): Problems =>
  connection !== undefined && channel !== undefined && connection.channel !== channel
    ? { connection_id: [`must be a connection of the channel ${channel}`] }
    : {}

const readRecipient = (
  world: SendWorld,
  channel: Channel | undefined,
  connection: Connection | undefined
): { readonly handle: string | null; readonly problems: Problems } => {
  if (Option.isNone(world.handle) || channel === undefined) return { handle: null, problems: {} }
  const provider = connection && world.provider(connection)?.provider
  const handle = Either.flatMap(world.handle.value, (normalised) =>
    provider === undefined ? Either.right(normalised) : provider.parseHandle(channel, normalised)
  )
  return Either.isRight(handle)
    ? { handle: handle.right, problems: {} }
    : { handle: null, problems: { to: [handle.left] } }
}

interface ReadContent {
  readonly content: ValidSend["content"] | null
  readonly problems: Problems
}

type Input = SendCommand["draft"]["value"]

const readText = (
  world: SendWorld,
  { channel, type, message }: Input,
  connection: Connection | undefined
): ReadContent => {
  if (message === undefined || type === undefined) return { content: null, problems: {} }
  const problems: { [field: string]: ReadonlyArray<string> } = {}
  const { body, subject } = message
  if (body === null) problems["message.body"] = ["is required"]
  const limit = (connection && world.provider(connection)?.capabilities.textMaxLength) ?? null
  if (typeof body === "string" && limit !== null && lengthOf(body) > limit) {
    problems["message.body"] = [`must be at most ${limit} characters on this channel`]
  }
  if (typeof subject === "string" && channel !== undefined && channel !== "email") {
    problems["message.subject"] = ["is for email only"]
  }
  if (typeof subject === "string" && /[\r\n]/.test(subject)) problems["message.subject"] = ["must be one line"]
  return Object.keys(problems).length > 0 || typeof body !== "string"
    ? { content: null, problems }
    : { content: { type: "text", body, subject: subject ?? null }, problems }
}

const readTemplate = (world: SendWorld, { message }: Input, connection: Connection | undefined): ReadContent => {
  const problem = (field: string, words: string): ReadContent => ({
    content: null,
    problems: { [`message.${field}`]: [words] }
  })
  if (message === undefined || message.template === undefined) return { content: null, problems: {} }
  if (message.template === null) return problem("template", "is required")
  if (connection !== undefined && world.provider(connection)?.capabilities.templates === false) {
    return { content: { type: "unsendable" }, problems: {} }
  }
  if (world.templates.length === 0) return problem("template", "is not a template of this workspace on this channel")
  const template = chooseLanguage(world, message.language ?? null)
  if (template === undefined) {
    const languages = world.templates.map(({ language }) => language).sort()
    return problem("language", `must be one of this template's languages: ${languages.join(", ")}`)
  }
  if (!isSendable(template)) return { content: { type: "unsendable" }, problems: {} }
  if (message.variables === undefined) return { content: null, problems: {} }
  const variables = message.variables ?? []
  const slots = slotNames(template.body)
  if (variables.length !== slots.length) {
    return problem("variables", `must have exactly ${slots.length} items, one for each slot`)
  }
  return {
    content: { type: "template", template, variables, body: renderTemplate(template.body, variables, slots) },
    problems: {}
  }
}

/** The language named, else the template's only one, else the workspace's default. */
const chooseLanguage = ({ templates, caller }: SendWorld, language: string | null): Template | undefined =>
  language === null && templates.length === 1
    ? templates[0]
    : templates.find((template) => template.language === (language ?? caller.workspace.defaultLanguage))
