import {
  type ChannelProvider,
  CheckOutcome,
  type Connection,
  minute,
  normaliseHandle,
  ProviderUnavailable,
  SendOutcome,
  type SendRates,
  WebhookUnreadable
} from "@parley/core"
import { Effect, Either } from "effect"
import { checkServers } from "./checkServers.js"
import { accountOf, businessOf, type EmailAccount, incomplete } from "./EmailAccount.js"
import { EmailConfig } from "./EmailConfig.js"
import { EmailCredentials } from "./EmailCredentials.js"
import type { EmailOptions } from "./EmailOptions.js"
import { isFromInbound, longestMail, postedMail } from "./inboundParse.js"
import { mailPools } from "./MailPools.js"
import { mailEvents } from "./mailEvents.js"
import { pollMailbox } from "./pollMailbox.js"
import { sendMail } from "./sendMail.js"

/**
 * Email (docs/channels/email.md): out through any SMTP server; in from a mailbox by IMAP, or posted to the webhook.
 *
 * The servers are named by the operator, who may well mean one on the same machine: no address is out of bounds.
 *
 * @example
 * ```ts
 * import { email } from "@parley/channel-email"
 * import { createParley } from "parley"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [email()] })
 * ```
 */
export const email = (options: EmailOptions = {}): ChannelProvider => {
  const pools = mailPools(options)

  /** What needs the account; `otherwise` where the connection's settings are not complete. */
  const withAccount = <A, E>(
    connection: Connection,
    credentials: unknown,
    use: (account: EmailAccount) => Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ): Effect.Effect<A, E> => Either.match(accountOf(connection, credentials), { onLeft: () => otherwise, onRight: use })

  return {
    kind: "email",
    channels: ["email"],
    config: EmailConfig,
    credentials: EmailCredentials,
    capabilities: ({ config }) => ({
      textMaxLength: null,
      templates: false,
      deliveryReceipts: config.delivery_receipts === true,
      readReceipts: false,
      serviceWindowHours: null
    }),
    parseHandle: normaliseHandle,
    // Most mail servers deliver a mail with a Message-ID that they have seen before.
    dedupes: false,
    threads: true,
    rates,
    send: (connection, credentials, message, now) =>
      withAccount(
        connection,
        credentials,
        (account) => sendMail(pools, account, message, now),
        Effect.succeed(unsettled)
      ),
    webhook: {
      bodyLimit: longestMail,
      verify: (connection, credentials, request) =>
        Either.match(accountOf(connection, credentials), {
          onLeft: () => false,
          onRight: (account) => isFromInbound(account.credentials, request)
        }),
      parse: (connection, request, now) =>
        Effect.gen(function* () {
          const raw = yield* postedMail(request)
          const business = yield* Either.mapLeft(
            businessOf(connection),
            () => new WebhookUnreadable({ reason: incomplete })
          )
          return [{ account: null, events: yield* mailEvents(business, raw, now) }]
        })
    },
    poll: (connection, credentials, cursor, now) =>
      withAccount(
        connection,
        credentials,
        (account) => pollMailbox(account, cursor, now, options),
        Effect.fail(new ProviderUnavailable({ reason: incomplete }))
      ),
    check: (connection, credentials) =>
      withAccount(
        connection,
        credentials,
        (account) => checkServers(account, options),
        Effect.succeed(CheckOutcome.Failing({ problem: incomplete }))
      )
  }
}

/** As the operator says; a tenth of a minute's mails may go at once. */
const rates = (connection: Connection): SendRates => {
  const messages = Either.getOrNull(businessOf(connection))?.config.smtp.messages_per_minute
  const rate = messages === undefined ? null : { messages, per: minute, burst: Math.ceil(messages / 10) }
  return { connection: rate, recipient: null }
}

/** Of a connection whose settings are not complete: nobody's message can go out on it. */
const unsettled = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "incomplete_settings",
  providerMessage: incomplete
})
