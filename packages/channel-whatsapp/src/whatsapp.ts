import {
  type Capabilities,
  type ChannelProvider,
  CheckOutcome,
  type Connection,
  normaliseHandle,
  ProviderUnavailable,
  SendOutcome
} from "@parley/core"
import { Effect, Either } from "effect"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { graphApi } from "./GraphApi.js"
import { listTemplates } from "./listTemplates.js"
import { rates } from "./rates.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { accountOf, incomplete, type WhatsAppAccount } from "./WhatsAppAccount.js"
import { WhatsAppConfig } from "./WhatsAppConfig.js"
import { WhatsAppCredentials } from "./WhatsAppCredentials.js"
import type { WhatsAppOptions } from "./WhatsAppOptions.js"
import { parse } from "./webhook/parse.js"
import { challengeAnswer, isSigned } from "./webhook/verify.js"

const capabilities: Capabilities = {
  textMaxLength: 4_096,
  templates: true,
  deliveryReceipts: true,
  readReceipts: true,
  serviceWindowHours: 24
}

/**
 * WhatsApp through Meta's Cloud API (docs/channels/whatsapp.md).
 *
 * @example
 * ```ts
 * import { whatsapp } from "@parley/channel-whatsapp"
 * import { createParley } from "parley"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [whatsapp()] })
 * ```
 */
export const whatsapp = (options: WhatsAppOptions = {}): ChannelProvider => {
  const graph = graphApi(options)

  /** What needs the account; `otherwise` where the connection's settings are not complete. */
  const withAccount = <A, E>(
    connection: Connection,
    credentials: unknown,
    use: (account: WhatsAppAccount) => Effect.Effect<A, E>,
    otherwise: () => Effect.Effect<A, E>
  ): Effect.Effect<A, E> => Either.match(accountOf(connection, credentials), { onLeft: otherwise, onRight: use })

  const unavailable = () => Effect.fail(new ProviderUnavailable({ reason: incomplete }))

  return {
    kind: "whatsapp",
    channels: ["whatsapp"],
    config: WhatsAppConfig,
    credentials: WhatsAppCredentials,
    capabilities: () => capabilities,
    parseHandle: normaliseHandle,
    dedupes: false,
    rates,
    send: (connection, credentials, message) =>
      withAccount(
        connection,
        credentials,
        (account) => sendMessage(graph, account, message),
        () => Effect.succeed(unsettled)
      ),
    webhook: {
      challenge: (connection, credentials, request) =>
        Either.match(accountOf(connection, credentials), {
          onLeft: () => null,
          onRight: (account) => challengeAnswer(account.credentials, request)
        }),
      verify: (connection, credentials, request) =>
        Either.match(accountOf(connection, credentials), {
          onLeft: () => false,
          onRight: (account) => isSigned(account.credentials, request)
        }),
      parse,
      accountOf: ({ config }) => String(config.phone_number_id)
    },
    fetchFile: (connection, credentials, reference) =>
      withAccount(connection, credentials, (account) => fetchFile(graph, account, reference), unavailable),
    listTemplates: (connection, credentials) =>
      withAccount(connection, credentials, (account) => listTemplates(graph, account), unavailable),
    check: (connection, credentials) =>
      withAccount(
        connection,
        credentials,
        (account) => check(graph, account, connection),
        () => Effect.succeed(CheckOutcome.Failing({ problem: incomplete }))
      ),
    setUp: (connection, credentials, webhookUrl) =>
      withAccount(
        connection,
        credentials,
        (account) => setUp(graph, account, webhookUrl),
        () => Effect.succeed(CheckOutcome.Failing({ problem: incomplete }))
      )
  }
}

/** Of a connection whose settings are not complete: nobody's message can go out on it. */
const unsettled = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "incomplete_settings",
  providerMessage: incomplete
})
