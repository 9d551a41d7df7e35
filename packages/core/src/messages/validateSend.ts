import { Either, Option } from "effect"
import { type Recalled, recall } from "../access/recall.js"
import type { Channel } from "../channels/Channel.js"
import type { Connection } from "../channels/Connection.js"
import { invalid, type Problems, type Refusal } from "../errors/Refusal.js"
import type { Instant } from "../Instant.js"
import { joinProblems } from "../input/Draft.js"
import { optOutProblems } from "./optOutProblems.js"
import { type Content, type ReadContent, readTemplate, readText } from "./readContent.js"
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
  readonly content: Content
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
      recalled === null
        ? Either.map(readSend(world, command.draft), (valid) => ({ valid }))
        : Either.right({ recalled })
  )

/** A send that was carried out before, or one that may be now. */
export type CheckedSend = { readonly recalled: Recalled } | { readonly valid: ValidSend }

/** Step 8 alone: every problem of the input at once, or what is to be sent. */
export const readSend = (
  world: SendWorld,
  { problems, value }: SendCommand["draft"]
): Either.Either<ValidSend, Refusal> => {
  const connection = chooseConnection(world, value.channel, value.connectionId ?? null)
  const recipient = readRecipient(world, value.channel, connection)
  const { content, problems: contentProblems } = readMessage(world, value, connection)
  const found = [
    problems,
    connectionProblems(value.channel, connection),
    recipient.problems,
    contentProblems,
    optOutProblems("to", world.contact, content)
  ].filter((some) => Object.keys(some).length > 0)
  if (found.length > 0) return Either.left(invalid(found.reduce(joinProblems)))
  return Either.right({
    channel: value.channel as Channel,
    handle: recipient.handle as string,
    externalReference: value.externalReference ?? null,
    connection,
    content: content as Content
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

const readMessage = (
  world: SendWorld,
  { channel, message, type }: SendCommand["draft"]["value"],
  connection: Connection | undefined
): ReadContent => {
  if (message === undefined || type === undefined) return { content: null, problems: {} }
  const known = connection && world.provider(connection)
  const against = {
    channel,
    capabilities: known?.capabilities,
    textProblem: (text: string) => (connection && known?.provider.textProblem?.(connection, text)) ?? null,
    templates: world.templates,
    defaultLanguage: world.caller.workspace.defaultLanguage
  }
  const { content, problems } = type === "template" ? readTemplate(against, message) : readText(against, message)
  return { content, problems: inside("message", problems) }
}

/** The problems of the fields of an object, by their names from outside of it. */
const inside = (name: string, problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).map(([field, words]) => [`${name}.${field}`, words]))
