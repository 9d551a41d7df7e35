import type { Capabilities, ChannelProvider } from "@parley/core"
import { failingCheck, incompleteSettings, unavailable, unusableConnection } from "@parley/provider-kit"
import { Either, Schema } from "effect"
import { botApi } from "./BotApi.js"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { maxFileSize } from "./fileCall.js"
import { parseBotName, parseChatId } from "./handles.js"
import { rates } from "./rates.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { signal } from "./signal.js"
import { TelegramConfig } from "./TelegramConfig.js"
import { TelegramCredentials } from "./TelegramCredentials.js"
import type { TelegramOptions } from "./TelegramOptions.js"
import { answerCallback } from "./webhook/answerCallback.js"
import { isSigned } from "./webhook/isSigned.js"
import { parse } from "./webhook/parse.js"

/** Telegram confirms that it accepted a message, and sends no receipts. */
const capabilities: Capabilities = {
  textMaxLength: 4_096,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null,
  types: ["text", "media", "location", "choices", "reaction"],
  receives: [
    "text",
    "media",
    "location",
    "contacts",
    "choice",
    "form",
    "order",
    "reaction",
    "edit",
    "system",
    "unsupported"
  ],
  // `callback_data` has 64 bytes, and a character up to 4 of them. The whole keyboard has about 10 kB.
  choices: { options: 50, titleLength: 64, idLength: 16, descriptionLength: 0 },
  files: { count: 1, bytes: maxFileSize, captionLength: 1_024 },
  quotes: true,
  typing: true
}

/**
 * Telegram through the Bot API (docs/channels/telegram.md).
 *
 * @example
 * ```ts
 * import { telegram } from "@parley/channel-telegram"
 * import { createParley } from "parley"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [telegram()] })
 * ```
 */
export const telegram = (options: TelegramOptions = {}): ChannelProvider => {
  const api = botApi(options)

  /** Runs an effect that needs the credentials; `onLeft`, with the problem, if they are not complete. */
  const withCredentials = <A>(
    credentials: unknown,
    onLeft: (problem: string) => A,
    onRight: (credentials: TelegramCredentials) => A
  ): A => Either.match(readCredentials(credentials), { onLeft: () => onLeft(incompleteSettings), onRight })

  return {
    kind: "telegram",
    channels: [{ name: "telegram", identity: "telegram", standard: true }],
    config: TelegramConfig,
    credentials: TelegramCredentials,
    capabilities: () => capabilities,
    parseHandle: (_channel, handle) => parseChatId(handle),
    parseOwnHandle: (_channel, handle) => parseBotName(handle),
    dedupes: false,
    rates,
    send: (_connection, credentials, message) =>
      withCredentials(credentials, unusableConnection, (credentials) => sendMessage(api, credentials, message)),
    signal: (_connection, credentials, given) =>
      withCredentials(credentials, unavailable, (credentials) => signal(api, credentials, given)),
    webhook: {
      verify: (_connection, credentials, request) =>
        withCredentials(
          credentials,
          () => false,
          (credentials) => isSigned(credentials, request)
        ),
      parse: (_connection, request) => parse(request),
      answer: answerCallback
    },
    fetchFile: (_connection, credentials, reference) =>
      withCredentials(credentials, unavailable, (credentials) => fetchFile(api, credentials, reference)),
    check: (connection, credentials) =>
      withCredentials(credentials, failingCheck, (credentials) => check(api, credentials, connection)),
    setUp: (_connection, credentials, webhookUrl) =>
      withCredentials(credentials, failingCheck, (credentials) => setUp(api, credentials, webhookUrl))
  }
}

const readCredentials = Schema.decodeUnknownEither(TelegramCredentials)
