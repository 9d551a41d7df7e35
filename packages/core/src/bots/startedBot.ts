import { plainText } from "../contacts/plainText.js"
import type { Conversation } from "../conversations/Conversation.js"
import type { Message } from "../messages/Message.js"
import type { Bot } from "./Bot.js"

/** Whether a message on this connection could start one of these active bots; what it says is looked at when its turn comes. */
export const couldStart = (bots: ReadonlyArray<Bot>, connectionId: string): boolean =>
  bots.some(({ script: { start } }) => start.keywords.length > 0 || start.newConversationOn.includes(connectionId))

/**
 * Which of these active bots a customer's message starts, in a conversation where none has its turn: the oldest one with a keyword that the
 * message is as a whole, without regard to case, accents and what stands around it; else the oldest one that begins with
 * conversations on this connection, where the message began this one.
 */
export const startedBot = (
  bots: ReadonlyArray<Bot>,
  { body, connectionId, createdAt }: Pick<Message, "body" | "connectionId" | "createdAt">,
  conversation: Pick<Conversation, "createdAt">
): Bot | undefined => {
  const oldestFirst = [...bots].sort((one, other) => (one.id < other.id ? -1 : 1))
  // Longer than any keyword with what stands around it.
  const said = body.length > longestWord ? "" : plainText(body)
  const isKeyword = (word: string) => said !== "" && plainText(word) === said
  // Both were made by one commit, at one moment.
  const begins = conversation.createdAt === createdAt
  return (
    oldestFirst.find(({ script }) => script.start.keywords.some(isKeyword)) ??
    oldestFirst.find(({ script }) => begins && script.start.newConversationOn.includes(connectionId))
  )
}

const longestWord = 1_000
