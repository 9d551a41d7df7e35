import { type Capabilities, type ChannelProvider, ProviderUnavailable, SendOutcome } from "@parley/core"
import { Effect, Either, Schema } from "effect"
import { botApi } from "./BotApi.js"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { parseBotName, parseChatId } from "./handles.js"
import { rates } from "./rates.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { TelegramConfig } from "./TelegramConfig.js"
import { TelegramCredentials } from "./TelegramCredentials.js"
import type { TelegramOptions } from "./TelegramOptions.js"
import { isSigned } from "./webhook/isSigned.js"
import { parse } from "./webhook/parse.js"

/** Telegram tells of a message that it took it, and nothing after that. */
const capabilities: Capabilities = {
  textMaxLength: 4_096,
  templates: false,
  deliveryReceipts: false,
  readReceipts: false,
  serviceWindowHours: null
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

  /** What needs the credentials; `otherwise` where they are not complete. */
  const opened = <A>(credentials: unknown, use: (credentials: TelegramCredentials) => A, otherwise: () => A): A =>
    Either.match(readCredentials(credentials), { onLeft: otherwise, onRight: use })

  const failing = () => Effect.succeed({ _tag: "Failing" as const, problem: incomplete })

  return {
    kind: "telegram",
    channels: ["telegram"],
    config: TelegramConfig,
    credentials: TelegramCredentials,
    capabilities: () => capabilities,
    parseHandle: (_channel, handle) => parseChatId(handle),
    parseOwnHandle: (_channel, handle) => parseBotName(handle),
    dedupes: false,
    rates,
    send: (_connection, credentials, message) =>
      opened(
        credentials,
        (credentials) => sendMessage(api, credentials, message),
        () => Effect.succeed(unsettled)
      ),
    webhook: {
      verify: (_connection, credentials, request) =>
        opened(
          credentials,
          (credentials) => isSigned(credentials, request),
          () => false
        ),
      parse: (_connection, request) => parse(request)
    },
    fetchFile: (_connection, credentials, reference) =>
      opened(
        credentials,
        (credentials) => fetchFile(api, credentials, reference),
        () => Effect.fail(new ProviderUnavailable({ reason: incomplete }))
      ),
    check: (connection, credentials) =>
      opened(credentials, (credentials) => check(api, credentials, connection), failing),
    setUp: (_connection, credentials, webhookUrl) =>
      opened(credentials, (credentials) => setUp(api, credentials, webhookUrl), failing)
  }
}

const readCredentials = Schema.decodeUnknownEither(TelegramCredentials)

/** What to say of a connection whose credentials are not complete. */
const incomplete = "The connection's credentials are not complete."

const unsettled = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "incomplete_settings",
  providerMessage: incomplete
})
