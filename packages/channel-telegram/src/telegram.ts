import type { Capabilities, ChannelProvider } from "@parley/core"
import {
  apiOfConnection,
  failingCheck,
  incompleteSettings,
  unavailable,
  unusableConnection,
  withApiUrl,
  withSettings
} from "@parley/provider-kit"
import { Either, Schema } from "effect"
import { botApi } from "./BotApi.js"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { maxFileSize } from "./fileCall.js"
import { parseBotName, parseChatId } from "./handles.js"
import { reactionProblem } from "./messageId.js"
import { rates } from "./rates.js"
import { reactions } from "./reactions.js"
import { sendMessage, sendTimeout } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { signal } from "./signal.js"
import { businessConnectionsOf, isBusiness, TelegramConfig } from "./TelegramConfig.js"
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
  // The whole keyboard has about 10 kB.
  choices: { options: 50, titleLength: 64, idLength: 200, descriptionLength: 0 },
  files: { count: 1, bytes: maxFileSize, captionLength: 1_024 },
  reactions,
  quotes: true,
  typing: true
}

const businessCapabilities: Capabilities = {
  ...capabilities,
  receives: [...(capabilities.receives ?? []), "deletion"]
}

/**
 * Telegram through the Bot API (docs/channels/telegram.md).
 *
 * @example
 * ```ts
 * import { telegram } from "@parley/channel-telegram"
 * import { createParley } from "@parley/host"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [telegram()] })
 * ```
 */
export const telegram = (options: TelegramOptions = {}): ChannelProvider => {
  const apiOf = apiOfConnection(options, botApi(options), (apiUrl) => botApi({ ...options, apiUrl }))

  const withCredentials = withSettings((_, credentials) => readCredentials(credentials), apiOf)

  return {
    kind: "telegram",
    channels: [{ name: "telegram", identity: "telegram", standard: true }],
    config: withApiUrl(TelegramConfig, options),
    credentials: TelegramCredentials,
    capabilities: (connection) => (isBusiness(connection) ? businessCapabilities : capabilities),
    parseHandle: (_channel, handle) => parseChatId(handle),
    parseOwnHandle: (_channel, handle) => parseBotName(handle),
    reactionProblem: (_connection, providerMessageId) => reactionProblem(providerMessageId),
    dedupes: false,
    threads: isBusiness,
    rates,
    sendTimeout,
    send: (connection, credentials, message) =>
      withCredentials(connection, credentials, unusableConnection, (credentials, api) =>
        sendMessage(api, credentials, message, businessConnectionsOf(connection))
      ),
    signal: (connection, credentials, given) =>
      withCredentials(connection, credentials, unavailable, (credentials, api) =>
        signal(api, credentials, given, businessConnectionsOf(connection))
      ),
    webhook: {
      verify: (connection, credentials, request) =>
        withCredentials(
          connection,
          credentials,
          () => false,
          (credentials) => isSigned(credentials, request)
        ),
      parse: (connection, request) => parse(request, businessConnectionsOf(connection)),
      answer: answerCallback
    },
    fetchFile: (connection, credentials, reference) =>
      withCredentials(connection, credentials, unavailable, (credentials, api) =>
        fetchFile(api, credentials, reference)
      ),
    check: (connection, credentials) =>
      withCredentials(connection, credentials, failingCheck, (credentials, api) => check(api, credentials, connection)),
    setUp: (connection, credentials, webhookUrl) =>
      withCredentials(connection, credentials, failingCheck, (credentials, api) =>
        setUp(api, credentials, webhookUrl, isBusiness(connection))
      )
  }
}

const decodeCredentials = Schema.decodeUnknownEither(TelegramCredentials)
const readCredentials = (credentials: unknown) =>
  Either.mapLeft(decodeCredentials(credentials), () => incompleteSettings)
