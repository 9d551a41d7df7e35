import type { ChannelProvider } from "@parley/core"
import { challengeAnswer, codesOf, type GraphOptions, graphApi, isSigned } from "@parley/meta-graph"
import {
  apiOfConnection,
  failingCheck,
  unavailable,
  unusableConnection,
  withApiUrl,
  withSettings
} from "@parley/provider-kit"
import { Either } from "effect"
import { capabilities, textProblem } from "./capabilities.js"
import { check } from "./check.js"
import { midOf } from "./eventId.js"
import { fetchFile } from "./fetchFile.js"
import { history } from "./history.js"
import { accountOf, metaIdOf } from "./MessengerAccount.js"
import { MessengerConfig } from "./MessengerConfig.js"
import { MessengerCredentials } from "./MessengerCredentials.js"
import type { MessengerOptions } from "./MessengerOptions.js"
import { profileName } from "./profileName.js"
import { rates } from "./rates.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { signal } from "./signal.js"
import { parse } from "./webhook/parse.js"

/**
 * Facebook Messenger and Instagram through Meta's Messenger Platform (docs/channels/messenger.md).
 *
 * @example
 * ```ts
 * import { messenger } from "@parley/channel-messenger"
 * import { createParley } from "@parley/host"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [messenger()] })
 * ```
 */
export const messenger = (options: MessengerOptions = {}): ChannelProvider => {
  const apiAt = (more: GraphOptions = {}) => graphApi({ ...options, ...more }, codesOf)
  const apiOf = apiOfConnection(options, apiAt(), (graphUrl) => apiAt({ graphUrl }))

  const withAccount = withSettings(accountOf, apiOf)

  return {
    kind: "messenger",
    channels: [
      { name: "facebook", identity: "facebook", standard: true },
      { name: "instagram", identity: "instagram", standard: true }
    ],
    config: withApiUrl(MessengerConfig, options),
    credentials: MessengerCredentials,
    capabilities: ({ channel }) => capabilities(channel),
    reactionProblem: (_connection, providerMessageId) =>
      midOf(providerMessageId) === null ? "must be a message that has an id at Meta" : null,
    parseHandle: (_channel, handle) =>
      /^[0-9]{1,32}$/.test(handle)
        ? Either.right(handle)
        : Either.left("must be the id that Meta gives the customer for this business: digits alone"),
    // A public name, such as @shop. Meta's ids are in the config.
    parseOwnHandle: (_channel, handle) => Either.right(handle),
    textProblem: ({ channel }, text) => textProblem(channel, text),
    dedupes: false,
    watermarks: true,
    rates,
    send: (connection, credentials, message) =>
      withAccount(connection, credentials, unusableConnection, (account, graph) =>
        sendMessage(graph, account, message)
      ),
    signal: (connection, credentials, given) =>
      withAccount(connection, credentials, unavailable, (account, graph) => signal(graph, account, given)),
    webhook: {
      challenge: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          () => null,
          (account) => challengeAnswer(account.credentials.verify_token, request)
        ),
      verify: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          () => false,
          (account) => isSigned(account.credentials.app_secret, request)
        ),
      parse,
      accountOf: metaIdOf
    },
    fetchFile: (connection, _credentials, reference) =>
      Either.match(apiOf(connection), { onLeft: unavailable, onRight: (graph) => fetchFile(graph, reference) }),
    profileName: (connection, credentials, handle) =>
      withAccount(connection, credentials, unavailable, (account, graph) => profileName(graph, account, handle)),
    history: (connection, credentials, cursor) =>
      withAccount(connection, credentials, unavailable, (account, graph) => history(graph, account, cursor)),
    check: (connection, credentials) =>
      withAccount(connection, credentials, failingCheck, (account, graph) => check(graph, account)),
    setUp: (connection, credentials, webhookUrl) =>
      withAccount(connection, credentials, failingCheck, (account, graph) => setUp(graph, account, webhookUrl))
  }
}
