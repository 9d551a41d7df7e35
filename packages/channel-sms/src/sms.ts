import { type ChannelProvider, type ProviderAnswer, webhookUrl } from "@parley/core"
import {
  apiOfConnection,
  failingCheck,
  ratePerSecond,
  unavailable,
  unusableConnection,
  withApiUrl,
  withSettings
} from "@parley/provider-kit"
import { Either } from "effect"
import { capabilities } from "./capabilities.js"
import { check } from "./check.js"
import { fetchFile } from "./fetchFile.js"
import { parseSender } from "./handles.js"
import { history } from "./history.js"
import { poll } from "./poll.js"
import { accountOf } from "./SmsAccount.js"
import { SmsConfig } from "./SmsConfig.js"
import { SmsCredentials } from "./SmsCredentials.js"
import type { SmsOptions } from "./SmsOptions.js"
import { sendMessage } from "./sendMessage.js"
import { setUp } from "./setUp.js"
import { twilioApi } from "./twilioApi.js"
import { isSigned } from "./webhook/isSigned.js"
import { parse } from "./webhook/parse.js"

/** Twilio's queue takes more than carriers do; this bounds the calls. */
const defaultMessagesPerSecond = 50

/** An empty TwiML document: Twilio sends no answer of its own to the customer. */
const noAnswer: ProviderAnswer = {
  status: 200,
  headers: { "content-type": "text/xml" },
  body: "<Response/>"
}

/**
 * SMS and MMS through Twilio (docs/channels/sms.md).
 *
 * @example
 * ```ts
 * import { sms } from "@parley/channel-sms"
 * import { createParley } from "@parley/host"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [sms()] })
 * ```
 */
export const sms = (options: SmsOptions = {}): ChannelProvider => {
  const apiOf = apiOfConnection(options, twilioApi(options), (apiUrl) => twilioApi({ ...options, apiUrl }))

  const withAccount = withSettings(accountOf, apiOf)

  return {
    kind: "twilio",
    channels: [{ name: "sms", identity: "phone" }],
    config: withApiUrl(SmsConfig, options),
    credentials: SmsCredentials,
    capabilities: () => capabilities,
    parseHandle: (_channel, handle) => Either.right(handle),
    parseOwnHandle: (_channel, handle) => parseSender(handle),
    dedupes: false,
    rates: ({ config }) => ({
      connection: ratePerSecond(
        typeof config.messages_per_second === "number" ? config.messages_per_second : defaultMessagesPerSecond
      ),
      recipient: null
    }),
    send: (connection, credentials, message) =>
      withAccount(connection, credentials, unusableConnection, (account, twilio) =>
        sendMessage(twilio, account, connection.handle, message)
      ),
    webhook: {
      verify: (connection, credentials, request) =>
        withAccount(
          connection,
          credentials,
          () => false,
          (account) => isSigned(account.credentials.auth_token, request)
        ),
      parse: (_connection, request, now) => parse(request, now),
      answer: ({ query }) => (query.message === undefined ? noAnswer : null)
    },
    fetchFile: (connection, credentials, reference) =>
      withAccount(connection, credentials, unavailable, (account, twilio) => fetchFile(twilio, account, reference)),
    // Beside the webhook, which misses messages during outages.
    poll: (connection, credentials, cursor, now) =>
      withAccount(connection, credentials, unavailable, (account, twilio) =>
        poll(twilio, account, connection.handle, cursor, now)
      ),
    history: (connection, credentials, cursor) =>
      withAccount(connection, credentials, unavailable, (account, twilio) =>
        history(twilio, account, connection.handle, cursor)
      ),
    check: (connection, credentials, publicUrl = null) =>
      withAccount(connection, credentials, failingCheck, (account, twilio) =>
        check(twilio, account, connection.handle, publicUrl && webhookUrl(publicUrl, connection.id))
      ),
    setUp: (connection, credentials, webhookUrl) =>
      withAccount(connection, credentials, failingCheck, (account, twilio) =>
        setUp(twilio, account, connection.handle, webhookUrl)
      )
  }
}
