import { Either } from "effect"
import type { BotSession } from "../../model/BotSession.js"
import type { Conversation } from "../../model/Conversation.js"
import type { Instant } from "../../model/Instant.js"
import type { ContentOf } from "../../model/MessageContent.js"
import type { Parts } from "../../ports/Changes.js"
import type { Ids } from "../../ports/Ids.js"
import { openConversation } from "../../resources/conversations/openConversation.js"
import { wireContent } from "../../resources/messages/fillDefined.js"
import { numberedText } from "../../resources/messages/numberedChoices.js"
import { optOutProblem } from "../../resources/messages/optOutProblems.js"
import { permitContent } from "../../resources/messages/permitContent.js"
import { queueMessages } from "../../resources/messages/queueMessages.js"
import {
  type ContentWorld,
  type ReadContent,
  readContent,
  readText,
  typeProblems
} from "../../resources/messages/readContent.js"
import { decodeSendMessageInput } from "../../resources/messages/SendMessageInput.js"
import { type BotWorld, serviceWindowOf } from "./BotWorld.js"
import type { BotMessage } from "./dialogue.js"

/** The queued messages and the conversation after them. */
export interface QueuedBotMessages {
  readonly conversation: Conversation
  readonly parts: ReadonlyArray<Parts>
}

/** Why a bot may not send a message. `notifies`: administrators can act on it, because the script is wrong. */
export interface UnsendableBotMessage {
  readonly reason: string
  readonly notifies: boolean
}

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
    const { capabilities, channel, connection, contact, conversation, subscribers, textProblem, urlProblem } = world
    if (messages.length === 0) return { conversation, parts: [] }
    const { handle } = conversation
    const against = { channel, capabilities, textProblem, urlProblem, templates: [], defaultLanguage: null }
    const contents = messages.map((message) => readBotMessage(against, handle, message))
    const [wrong] = contents.flatMap(({ problems }) => Object.entries(problems))
    const [content] = contents.flatMap((read) => read.content ?? [])
    if (content === undefined || wrong !== undefined) {
      const [field, [problem]] = wrong ?? ["body", ["is empty"]]
      return yield* Either.left({
        reason:
          field === "body"
            ? `One of its texts ${problem}.`
            : `One of its messages cannot be sent: ${field} ${problem}.`,
        notifies: true
      })
    }
    yield* Either.mapLeft(permitContent(connection, capabilities, conversation, content, now), ({ message }) => ({
      reason: message,
      notifies: false
    }))
    // A bot sends no templates, which alone can be marketing where a bot replies.
    const optedOut = optOutProblem(contact, false)
    if (optedOut !== null) return yield* Either.left({ reason: `The customer ${optedOut}.`, notifies: false })
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
    const [, ...others] = contents.flatMap((read) => read.content ?? [])
    const queued = queueMessages(
      { sender, handle, contents: [content, ...others], files: capabilities?.files, opened, subscribers },
      now,
      ids
    )
    const parts = queued.flatMap((one) => one.parts)
    return { conversation: opened.conversation, parts }
  })

/** Reads a message by the rules of a send. Choices beyond the limits of the channel's become numbered text. */
const readBotMessage = (
  against: ContentWorld & Pick<BotWorld, "channel">,
  to: string,
  { body, content, files }: BotMessage
): ReadContent => {
  if (content === null && files.length === 0) return readText(against, { body })
  const type = content?.type ?? "media"
  const { problems, value } = decodeSendMessageInput({
    ...{ channel: against.channel.name, to, type },
    message: { body: body === "" ? null : body, ...wireContent(content, files) }
  })
  const { message } = value
  if (message === undefined || Object.keys(problems).length > 0) return { content: null, problems }
  const read = readContent(against, type, message)
  const all = { ...typeProblems(type, against.capabilities), ...read.problems }
  if (Object.keys(all).length === 0 || content?.type !== "choices") return { ...read, problems: all }
  return readText(against, { body: numberedText(body, content.options as ContentOf<"choices">["options"]) })
}
