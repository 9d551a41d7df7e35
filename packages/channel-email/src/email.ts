import {
  type ChannelProvider,
  CheckOutcome,
  type Connection,
  HistoryAnswer,
  minute,
  normaliseHandle,
  ProviderUnavailable,
  SendOutcome,
  type SendRates,
  sendsMarketing,
  WebhookUnreadable
} from "@parley/core"
import { Effect, Either } from "effect"
import { checkServers } from "./checkServers.js"
import { accountOf, businessOf, type EmailAccount, incomplete } from "./EmailAccount.js"
import { EmailConfig } from "./EmailConfig.js"
import { EmailCredentials } from "./EmailCredentials.js"
import type { EmailOptions } from "./EmailOptions.js"
import { isFromInbound, maxMailBytes, postedMail } from "./inboundParse.js"
import { connectionsOf, mailPools, maxSendTime } from "./MailPools.js"
import { mailThreads } from "./MailThreads.js"
import { mailboxHistory } from "./mailboxHistory.js"
import { pollMailbox } from "./pollMailbox.js"
import { filesTimeout, sendMail } from "./sendMail.js"

/**
 * Email (docs/channels/email.md): sends through any SMTP server; receives by polling a mailbox over IMAP, or by
 * webhook.
 *
 * The operator configures the servers, which may run on the same machine: no address is blocked.
 *
 * @example
 * ```ts
 * import { email } from "@parley/channel-email"
 * import { createParley } from "@parley/host"
 *
 * const parley = await createParley({ storage: { url: "sqlite:parley.db" }, channels: [email()] })
 * ```
 */
export const email = (options: EmailOptions = {}): ChannelProvider => {
  const pools = mailPools(options)
  const parseMail = mailThreads()

  /** Runs an effect that needs the account; `otherwise` if the connection's settings are not complete. */
  const withAccount = <A, E>(
    connection: Connection,
    credentials: unknown,
    use: (account: EmailAccount) => Effect.Effect<A, E>,
    otherwise: Effect.Effect<A, E>
  ): Effect.Effect<A, E> => Either.match(accountOf(connection, credentials), { onLeft: () => otherwise, onRight: use })

  return {
    kind: "email",
    channels: [{ name: "email", identity: "email", subjects: true, standard: true }],
    config: EmailConfig,
    credentials: EmailCredentials,
    capabilities: ({ config }) => ({
      textMaxLength: null,
      templates: true,
      deliveryReceipts: config.delivery_receipts === true,
      readReceipts: false,
      serviceWindowHours: null,
      types: ["text", "template", "media"],
      receives: ["text", "media"],
      // Most servers refuse mails of more than 25 MB, in which files are a third longer.
      files: { count: 5, bytes: 15 * 1_048_576 },
      quotes: true
    }),
    parseHandle: normaliseHandle,
    // Most mail servers deliver a mail whose Message-ID they have seen before.
    dedupes: false,
    threads: true,
    signedIds: true,
    rates,
    sendTimeout: filesTimeout + maxSendTime + minute,
    maxConcurrentSends: (connection) =>
      Either.match(businessOf(connection), { onLeft: () => 1, onRight: ({ config }) => connectionsOf(config) }),
    send: (connection, credentials, message, now) =>
      withAccount(
        connection,
        credentials,
        (account) => sendMail(pools, account, message, now),
        Effect.succeed(unsettled)
      ),
    webhook: {
      bodyLimit: maxMailBytes,
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
          return [{ account: null, events: yield* parseMail(connection.id, { business, raw, now }) }]
        })
    },
    poll: (connection, credentials, cursor, now) =>
      withAccount(
        connection,
        credentials,
        (account) => pollMailbox(account, cursor, now, options, parseMail),
        Effect.fail(new ProviderUnavailable({ reason: incomplete }))
      ),
    history: (connection, credentials, cursor) =>
      withAccount(
        connection,
        credentials,
        (account) => mailboxHistory(account, cursor, options, parseMail),
        Effect.succeed(HistoryAnswer.Refused({ problem: incomplete }))
      ),
    check: (connection, credentials, publicUrl = null) =>
      withAccount(
        connection,
        credentials,
        (account) => Effect.map(checkServers(account, options), withUnsubscribing(connection, publicUrl)),
        Effect.succeed(CheckOutcome.Failing({ problem: incomplete }))
      )
  }
}

/** Adds whether marketing has a link for one click. */
const withUnsubscribing =
  (connection: Connection, publicUrl: string | null) =>
  (outcome: CheckOutcome): CheckOutcome => {
    if (outcome._tag === "Failing" || !sendsMarketing(connection)) return outcome
    const detail =
      publicUrl !== null && /^https:/i.test(publicUrl)
        ? "Marketing mail has one-click unsubscribe."
        : "Marketing mail has no one-click unsubscribe: PARLEY_PUBLIC_URL (publicUrl) is not set to an https URL."
    return CheckOutcome.Working({ detail: `${outcome.detail} ${detail}` })
  }

/** The configured rate; the burst is a tenth of a minute's mails. */
const rates = (connection: Connection): SendRates => {
  const messages = Either.getOrNull(businessOf(connection))?.config.smtp.messages_per_minute
  const rate = messages === undefined ? null : { messages, per: minute, burst: Math.ceil(messages / 10) }
  return { connection: rate, recipient: null }
}

/** For a connection whose settings are not complete: no message can be sent. */
const unsettled = SendOutcome.Rejected({
  scope: "connection",
  code: "provider_error",
  providerCode: "incomplete_settings",
  providerMessage: incomplete
})
