import { type ChannelProvider, type Connection, ProviderUnavailable, SendOutcome } from "@parley/core"
import { Effect, Either } from "effect"
import { capabilities, textProblem } from "./capabilities.js"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { graphApi } from "./GraphApi.js"
import { accountOf, type MessengerAccount, metaIdOf } from "./MessengerAccount.js"
import { MessengerConfig } from "./MessengerConfig.js"
import { MessengerCredentials } from "./MessengerCredentials.js"
import type { MessengerOptions } from "./MessengerOptions.js"
import { profileName } from "./profileName.js"
import { rates } from "./rates.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { parse } from "./webhook/parse.js"
import { challengeAnswer, isSigned } from "./webhook/verify.js"

/**
 * Facebook Messenger and Instagram through Meta's Messenger Platform (docs/channels/messenger.md).
 *
 * @example
 * ```ts
 * import { messenger } from "@parley/channel-messenger"
 * import { createParley } from "parley"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [messenger()] })
 * ```
 */
export const messenger = (options: MessengerOptions = {}): ChannelProvider => {
  const graph = graphApi(options)

  /** What needs the account; `otherwise`, with the words to say, where the connection's settings are not complete. */
  const withAccount = <A>(
    connection: Connection,
    credentials: unknown,
    use: (account: MessengerAccount) => A,
    otherwise: (problem: string) => A
  ): A => Either.match(accountOf(connection, credentials), { onLeft: otherwise, onRight: use })

  const unavailable = (reason: string) => Effect.fail(new ProviderUnavailable({ reason }))
  const failing = (problem: string) => Effect.succeed({ _tag: "Failing" as const, problem })

  return {
    kind: "messenger",
    channels: ["facebook", "instagram"],
    config: MessengerConfig,
    credentials: MessengerCredentials,
    capabilities: ({ channel }) => capabilities(channel),
    parseHandle: (_channel, handle) =>
      /^[0-9]{1,32}$/.test(handle)
        ? Either.right(handle)
        : Either.left("must be the id that Meta gives the customer for this business: digits alone"),
    // A name that people know, such as @shop: Meta's own ids are in the config.
    parseOwnHandle: (_channel, handle) => Either.right(handle),
    textProblem: ({ channel }, text) => textProblem(channel, text),
    dedupes: false,
    watermarks: true,
    rates,
    send: (connection, credentials, message) =>
      withAccount(
        connection,
        credentials,
        (account) => sendMessage(graph, account, message),
        (problem) => Effect.succeed(unsettled(problem))
      ),
    webhook: {
      challenge: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          (account) => challengeAnswer(account.credentials, request),
          () => null
        ),
      verify: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          (account) => isSigned(account.credentials, request),
          () => false
        ),
      parse,
      accountOf: metaIdOf
    },
    fetchFile: (_connection, _credentials, reference) => fetchFile(graph, reference),
    profileName: (connection, credentials, handle) =>
      withAccount(connection, credentials, (account) => profileName(graph, account, handle), unavailable),
    check: (connection, credentials) =>
      withAccount(connection, credentials, (account) => check(graph, account), failing),
    setUp: (connection, credentials, webhookUrl) =>
      withAccount(connection, credentials, (account) => setUp(graph, account, webhookUrl), failing)
  }
}

/** Of a connection whose settings are not complete: nobody's message can go out on it. */
const unsettled = (problem: string): SendOutcome =>
  SendOutcome.Rejected({
    scope: "connection",
    code: "provider_error",
    providerCode: "incomplete_settings",
    providerMessage: problem
  })
