import { type OutboundFile, type OutboundMessage, optionToken, SendOutcome, second } from "@parley/core"
import { sendOutcome } from "@parley/provider-kit"
import { Effect, Option, Schema } from "effect"
import { type BotApi, type BotFailure, uploadTimeout } from "./BotApi.js"
import { documentCall, type FileCall, fileCall, maxCaptionLength, maxFileSize } from "./fileCall.js"
import { meaningOf } from "./Meaning.js"
import { businessIn, messageIdOf, messageNumberOf, onBehalf } from "./messageId.js"
import type { TelegramCredentials } from "./TelegramCredentials.js"

const readResult = Schema.decodeUnknownOption(
  Schema.Struct({ message_id: Schema.Int, chat: Schema.Struct({ id: Schema.Int }) })
)

type Sent = Pick<OutboundMessage, "body" | "content" | "files" | "id" | "quoted" | "thread" | "to">

/** A call of the Bot API that sends a message. */
interface Call {
  readonly method: string
  readonly parameters: object
  /** Of calls whose result has no message id. */
  readonly providerMessageId?: string
}

/** Timeout of a send in ms: longer than the upload of a picture as a photo and as a document. */
export const sendTimeout: number = 2 * uploadTimeout + 10 * second

/**
 * Sends one message by one call: a text without `parse_mode`, so that it is sent unchanged
 * (docs/reference/telegram.md#send-request).
 */
export const sendMessage = (
  api: BotApi,
  credentials: TelegramCredentials,
  message: Sent,
  businessConnections: ReadonlyArray<string> | null
): Effect.Effect<SendOutcome> => {
  const business = chatBusinessOf(message, businessConnections)
  const rules = {
    messageId: (result: unknown) => Option.map(readResult(result), (sent) => messageIdOf(sent, business)),
    meaningOf,
    credentials
  }
  const [file, ...more] = message.files ?? []
  if (file !== undefined) {
    const problem = more.length > 0 ? oneFile : fileProblem(message.body, file)
    return problem === null
      ? sendOutcome(sendFile(api, credentials, message, file, business), rules)
      : Effect.succeed(rejected(problem))
  }
  const call =
    business !== null && message.content?.type === "reaction"
      ? "Bots cannot react in chats of business accounts."
      : callOf(message, business)
  if (typeof call === "string") return Effect.succeed(rejected(call))
  const { method, parameters, providerMessageId } = call
  const sent = api.call(credentials.bot_token, method, { chat_id: message.to, ...onBehalf(business), ...parameters })
  return sendOutcome(sent, {
    ...rules,
    ...(providerMessageId === undefined
      ? {}
      : { messageId: (result) => Option.liftPredicate(providerMessageId, () => result === true) })
  })
}

/**
 * The business connection in whose chat a message is answered: where the quoted message is, else where the customer
 * wrote last. Null: the chat with the bot. A deletion does not count, since the owner of the account may have deleted.
 */
const chatBusinessOf = ({ quoted = null, thread }: Sent, listed: ReadonlyArray<string> | null): string | null => {
  const written = thread.filter(({ providerMessageId }) => providerMessageId?.startsWith("deletion:") !== true)
  const last = written.findLast(({ direction }) => direction === "inbound") ?? written.at(-1)
  return businessIn(quoted ?? last?.providerMessageId ?? "", listed)
}

const oneFile = "Telegram takes one file in a message."

const fileProblem = (caption: string, { size }: OutboundFile): string | null => {
  if (size > maxFileSize) return `The file has ${size} bytes, and Telegram takes ${maxFileSize} from bots.`
  const { length } = [...caption]
  return length > maxCaptionLength
    ? `The caption has ${length} characters, and Telegram takes ${maxCaptionLength}: send it as a text of its own.`
    : null
}

/** Telegram's refusals of a picture as a photo, because of its sides or its format. */
const notAPhoto = /PHOTO_INVALID_DIMENSIONS|PHOTO_EXT_INVALID|IMAGE_PROCESS_FAILED/

/** Sends a file with its caption. A picture that Telegram refuses as a photo is sent as a document. */
const sendFile = (
  api: BotApi,
  { bot_token }: TelegramCredentials,
  { body, quoted = null, to }: Sent,
  file: OutboundFile,
  business: string | null
): Effect.Effect<unknown, BotFailure> => {
  const common = {
    chat_id: to,
    ...onBehalf(business),
    ...(body === "" ? {} : { caption: body }),
    ...replyTo(to, business, quoted)
  }
  const upload = ({ file, method, parameters }: FileCall) =>
    api.upload(bot_token, method, { ...common, ...parameters }, file)
  const call = fileCall(file)
  return Effect.catchTag(upload(call), "Refused", (refused) =>
    call.method === "sendPhoto" && refused.error?.code === 400 && notAPhoto.test(refused.error.message)
      ? upload(documentCall(file))
      : Effect.fail(refused)
  )
}

const replyTo = (to: string, business: string | null, quoted: string | null): object => {
  const message_id = quoted === null ? null : messageNumberOf(to, business, quoted)
  return message_id === null ? {} : { reply_parameters: { message_id, allow_sending_without_reply: true } }
}

/** The call for a message, or why it cannot be sent. */
const callOf = ({ body, content = null, id, quoted = null, to }: Sent, business: string | null): Call | string => {
  const reply = replyTo(to, business, quoted)
  switch (content?.type) {
    case undefined:
      return { method: "sendMessage", parameters: { text: body, ...reply } }
    case "choices": {
      const inline_keyboard = content.options.map(({ id, title }) => [{ text: title, callback_data: callbackData(id) }])
      return { method: "sendMessage", parameters: { text: body, reply_markup: { inline_keyboard }, ...reply } }
    }
    case "location": {
      const { address, latitude, longitude, name } = content
      const place = { latitude, longitude, ...reply }
      const title = name ?? address
      return title === null
        ? { method: "sendLocation", parameters: place }
        : // A venue needs both.
          { method: "sendVenue", parameters: { ...place, title, address: address ?? `${latitude}, ${longitude}` } }
    }
    case "reaction": {
      const message_id = quoted === null ? null : messageNumberOf(to, business, quoted)
      if (message_id === null) return "The message is none of this chat that can have a reaction."
      // Telegram's list has the emoji without the selector of their colour variant.
      const emoji = content.emoji?.replaceAll("\uFE0F", "") ?? null
      const reaction = emoji === null ? [] : [{ type: "emoji", emoji }]
      return {
        method: "setMessageReaction",
        parameters: { message_id, reaction },
        providerMessageId: `${to}:${message_id}:reaction:${id}`
      }
    }
    default:
      return `Telegram takes no message of the type ${content?.type}.`
  }
}

/** Maximum size of `callback_data` in bytes. */
const maxCallbackData = 64

/** The id of an option, or what stands for it if it is too long. */
const callbackData = (id: string): string => (Buffer.byteLength(id) > maxCallbackData ? optionToken(id) : id)

const rejected = (providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope: "message", code: "provider_error", providerCode: "unsupported", providerMessage })
