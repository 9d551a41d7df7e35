import { type ChannelProvider, type Connection, normaliseHandle, SendOutcome } from "@parley/core"
import { Effect, Either, Option } from "effect"
import { CourierConfig, CourierCredentials, settingsOf } from "./CourierSettings.js"
import { check } from "./check.js"
import { isSigned } from "./isSigned.js"
import { parse } from "./parse.js"
import { type Sender, sendMessage } from "./sendMessage.js"

/** WhatsApp through Courier. `apiUrl` is for tests. */
export const courier = ({ apiUrl = "https://api.courier.example" } = {}): ChannelProvider => {
  const senderOf = (connection: Connection, credentials: unknown): Option.Option<Sender> =>
    Option.map(settingsOf({ config: connection.config, credentials }), (settings) => ({
      apiUrl,
      sender: settings.config.sender,
      apiKey: settings.credentials.api_key
    }))

  return {
    kind: "courier",
    channels: [{ name: "whatsapp", identity: "whatsapp", standard: true }],
    config: CourierConfig,
    credentials: CourierCredentials,
    capabilities: () => ({
      textMaxLength: 1_600,
      templates: false,
      deliveryReceipts: true,
      readReceipts: true,
      serviceWindowHours: 24
    }),
    parseHandle: (channel, text) =>
      Either.filterOrLeft(
        normaliseHandle(channel, text),
        (handle) => handle.startsWith("+"),
        () => "must be a phone number in E.164: + and 7 to 15 digits"
      ),
    dedupes: false,
    send: (connection, credentials, message) =>
      Option.match(senderOf(connection, credentials), {
        onNone: () => Effect.succeed(incomplete),
        onSome: (sender) => sendMessage(sender, message)
      }),
    webhook: {
      verify: (connection, credentials, request) =>
        Option.match(settingsOf({ config: connection.config, credentials }), {
          onNone: () => false,
          onSome: (settings) => isSigned(settings.credentials.webhook_secret, request)
        }),
      parse: (_connection, request) => parse(request),
      accountOf: ({ config }) => String(config.sender)
    },
    check: (connection, credentials) =>
      Option.match(senderOf(connection, credentials), {
        onNone: () => Effect.succeed({ _tag: "Failing", problem: "Its settings are not complete." } as const),
        onSome: check
      })
  }
}

const incomplete = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "incomplete_settings",
  providerMessage: "The connection's settings are not complete."
})
