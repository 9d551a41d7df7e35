import { Either } from "effect"
import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import { type Instant, second } from "../../model/Instant.js"
import type { Parts } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { sendTypes } from "../../resources/channels/sendTypes.js"
import { type OpenedConversation, openConversation } from "../../resources/conversations/openConversation.js"
import { optOutProblems } from "../../resources/messages/optOutProblems.js"
import { permitContent } from "../../resources/messages/permitContent.js"
import { queueMessage } from "../../resources/messages/queueMessage.js"
import { type ContentWorld, type ReadContent, readContent, readText } from "../../resources/messages/readContent.js"
import { type BotWorld, serviceWindowOf } from "./BotWorld.js"
import type { BotMessage } from "./dialogue.js"

/** The queued messages and the conversation after them. */
export interface QueuedBotMessages {
  readonly conversation: Conversation
  readonly parts: ReadonlyArray<Parts>
}

/** Why a bot may not send a message: for the administrators' notification; null if they cannot act on it. */
export interface UnsendableBotMessage {
  readonly reason: string | null
}

/** Delay between messages of one turn, in ms. Keeps their order at providers that do not guarantee it. */
const spacingMs = second

/**
 * Queues a bot's messages by the rules of a reply (docs/reference/automations.md#what-a-bot-may-say): none to a contact
 * who opted out, outside the service window, or through an inactive connection. Ids are in order; each message is sent
 * one second after the one before.
 */
export const queueBotMessages = (
  world: BotWorld,
  session: BotSession,
  messages: ReadonlyArray<BotMessage>,
  now: Instant,
  ids: Ids
): Either.Either<QueuedBotMessages, UnsendableBotMessage> =>
  Either.gen(function* () {
    const { capabilities, channel, connection, contact, conversation, subscribers, textProblem } = world
    if (messages.length === 0) return { conversation, parts: [] }
    const { handle } = conversation
    const against = { channel, capabilities, textProblem, templates: [], defaultLanguage: null }
    const contents = messages.map((message) => readBotMessage(against, message))
    const wrong = contents.flatMap(({ problems }) => problems.body ?? [])
    const [content] = contents.flatMap((read) => read.content ?? [])
    if (content === undefined || wrong.length > 0) {
      return yield* Either.left({ reason: `One of its texts ${wrong[0]}.` })
    }
    yield* Either.mapLeft(permitContent(connection, capabilities, conversation, content, now), () => silent)
    if (Object.keys(optOutProblems("contact_id", contact, content)).length > 0) return yield* Either.left(silent)
    const opened = openConversation(
      { contact, conversation },
      {
        connection,
        identity: channel.identity,
        handle,
        direction: "outbound",
        displayName: null,
        serviceWindowHours: serviceWindowOf(world)
      },
      now,
      ids
    )
    const { applicationId, id: botSessionId, workflowRunId } = session
    const sender = { applicationId, botSessionId, workflowRunId }
    const parts = contents.flatMap(({ content }, index) => {
      if (content === null) return []
      const queued = { sender, handle, content, opened: index === 0 ? opened : withoutOpening(opened), subscribers }
      return queueMessage({ ...queued, handOverAt: now + index * spacingMs }, null, now, ids).parts
    })
    return { conversation: opened.conversation, parts }
  })

/** Choices where the channel carries them within its limits, else numbered text. */
const readBotMessage = (against: ContentWorld, { body, choices }: BotMessage): ReadContent => {
  if (choices === null) return readText(against, { body })
  const options = choices.map(({ text, value }) => ({ id: value, title: text, description: null }))
  const takesChoices = against.capabilities !== undefined && sendTypes(against.capabilities).includes("choices")
  const read = takesChoices ? readContent(against, "choices", { body, content: { options } }) : null
  if (read !== null && read.content !== null) return read
  const numbered = choices.map(({ text }, index) => `${index + 1}. ${text}`)
  return readText(against, { body: [body, ...numbered].join("\n") })
}

const silent: UnsendableBotMessage = { reason: null }

/** The conversation without its changes, which the first message contains. */
const withoutOpening = (opened: OpenedConversation): OpenedConversation => ({ ...opened, parts: [], events: [] })
