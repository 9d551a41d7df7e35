import { keywordText } from "../../kernel/text/keywordText.js"
import type { Bot } from "../../model/Bot.js"
import type { Message } from "../../model/Message.js"

/** Whether a message on this connection could start one of these active bots. Keywords are compared later, in order. */
export const mayStartBot = (bots: ReadonlyArray<Bot>, connectionId: string): boolean =>
  bots.some(({ script: { start } }) => start.keywords.length > 0 || start.newConversationOn.includes(connectionId))

/**
 * The bot that a customer's message starts in a conversation without an active bot: the oldest one with a keyword equal
 * to the whole message (ignoring case, accents and surrounding punctuation), else, for the customer's first message of
 * a conversation, the oldest one that starts with new conversations on this connection.
 */
export const startedBot = (
  bots: ReadonlyArray<Bot>,
  { body, connectionId }: Pick<Message, "body" | "connectionId">,
  isFirst: boolean
): Bot | undefined => {
  const oldestFirst = [...bots].sort((one, other) => (one.id < other.id ? -1 : 1))
  // A longer text cannot equal a keyword.
  const said = body.length > maxKeywordLength ? "" : keywordText(body)
  const isKeyword = (word: string) => said !== "" && keywordText(word) === said
  return (
    oldestFirst.find(({ script }) => script.start.keywords.some(isKeyword)) ??
    oldestFirst.find(({ script }) => isFirst && script.start.newConversationOn.includes(connectionId))
  )
}

const maxKeywordLength = 1_000
