import { Either, Option } from "effect"
import { invalid, type Problems, type Refusal } from "../../errors/Refusal.js"
import { joinProblems } from "../../kernel/input/PartialDecode.js"
import type { Channel, Channels } from "../../model/Channel.js"
import { type Connection, sendsMarketing } from "../../model/Connection.js"
import type { Instant } from "../../model/Instant.js"
import type { Message } from "../../model/Message.js"
import { type IdempotentReplay, lookUpIdempotency } from "../access/idempotency.js"
import { channelProblems } from "../channels/channelProblems.js"
import { templateAccount, templatesOn } from "../templates/templateAccount.js"
import { chooseConnection } from "./chooseConnection.js"
import { optOutProblems } from "./optOutProblems.js"
import { type Content, type ReadContent, readContent, typeProblems } from "./readContent.js"
import { readQuote } from "./readQuote.js"
import type { SendCommand } from "./SendCommand.js"
import { conversationOn, type SendWorld } from "./SendWorld.js"

/** A send whose fields are all valid. */
export interface ValidSend {
  readonly channel: Channel
  /** Normalised. */
  readonly handle: string
  readonly externalReference: string | null
  /** The connection to use; undefined if the application may use none on this channel. */
  readonly connection: Connection | undefined
  readonly content: Content
  /** The message that it answers or reacts to. */
  readonly quoted: Message | null
  /** Whether a program wrote it. */
  readonly automatic: boolean
}

/**
 * Idempotency lookup and validation of `POST /messages` (docs/reference/requests.md#order-of-checks): the response to
 * replay, or the valid send. Fails with all problems of the input at once.
 */
export const validateSend = (
  world: SendWorld,
  command: SendCommand,
  now: Instant
): Either.Either<CheckedSend, Refusal> =>
  Either.flatMap(
    lookUpIdempotency(world.record, command.idempotency, now),
    (replay): Either.Either<CheckedSend, Refusal> =>
      replay === null ? Either.map(readSend(world, command.decoded), (valid) => ({ valid })) : Either.right({ replay })
  )

/** A send that was executed before, or a valid new one. */
export type CheckedSend = { readonly replay: IdempotentReplay } | { readonly valid: ValidSend }

/** Validation only: the valid send, or all problems of the input at once. */
export const readSend = (
  world: SendWorld,
  { problems, value }: SendCommand["decoded"]
): Either.Either<ValidSend, Refusal> => {
  const connection = chooseConnection({ ...world, application: world.caller.application }, value)
  const channel = channelProblems(channelsOf(world), value.channel)
  const recipient = channel.channel === undefined ? readRecipient(world, value.channel, connection) : unknownRecipient
  const { content, problems: contentProblems } = readMessage(world, value, connection)
  const known = connection && world.provider(connection)
  const { message: quoted, problems: quoteProblems } = readQuote(
    {
      capabilities: known?.capabilities,
      quoted: world.quoted,
      conversationId: connection && conversationOn(world, connection.id)?.id,
      applicationId: world.caller.application.id,
      reactionProblem: (id) => (connection && known?.provider.reactionProblem?.(connection, id)) ?? null
    },
    { type: value.type ?? null, ...value.message }
  )
  const found = [
    problems,
    channel,
    connectionProblems(world, value.channel, connection),
    recipient.problems,
    contentProblems,
    inMessage(quoteProblems),
    optOutProblems("to", world.contact, content, connection !== undefined && sendsMarketing(connection))
  ].filter((some) => Object.keys(some).length > 0)
  if (found.length > 0) return Either.left(invalid(found.reduce(joinProblems)))
  return Either.right({
    channel: value.channel as Channel,
    handle: recipient.handle as string,
    externalReference: value.externalReference ?? null,
    connection,
    content: content as Content,
    quoted,
    automatic: value.message?.automatic ?? false
  })
}

/** The channels that exist for the workspace (docs/reference/channels.md#declared-channels). */
const channelsOf = ({ channels, connections }: SendWorld): Channels =>
  channels.filter(({ name, standard }) => standard === true || connections.some(({ channel }) => channel === name))

const unknownRecipient = { handle: null, problems: {} } as const

const connectionProblems = (
  { addressed }: SendWorld,
  channel: Channel | undefined,
  connection: Connection | undefined
): Problems => {
  if (connection === undefined) return {}
  if (channel !== undefined && connection.channel !== channel) {
    return { connection_id: [`must be a connection of the channel ${channel}`] }
  }
  return addressed === undefined || connection.id === addressed.connectionId
    ? {}
    : { connection_id: ["must be the connection of the conversation"] }
}

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
  { message, type }: SendCommand["decoded"]["value"],
  connection: Connection | undefined
): ReadContent => {
  if (message === undefined || type === undefined) return { content: null, problems: {} }
  const known = connection && world.provider(connection)
  const against = {
    channel: world.channel,
    capabilities: known?.capabilities,
    urlProblem: world.urlProblem,
    uploads: world.uploads,
    textProblem: (text: string) => (connection && known?.provider.textProblem?.(connection, text)) ?? null,
    templates:
      connection === undefined
        ? world.templates
        : templatesOn(templateAccount(known?.provider, connection), world.templates),
    defaultLanguage: world.caller.workspace.defaultLanguage
  }
  const { content, problems } = readContent(against, type, message)
  return { content, problems: { ...typeProblems(type, against.capabilities), ...inMessage(problems) } }
}

/** The problems of the fields of `message`, by their names in the body. */
const inMessage = (problems: Problems): Problems =>
  Object.fromEntries(Object.entries(problems).map(([field, message]) => [`message.${field}`, message]))
