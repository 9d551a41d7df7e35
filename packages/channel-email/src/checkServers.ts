import { CheckOutcome, type ProviderUnavailable, second } from "@parley/core"
import { Duration, Effect, Either } from "effect"
import type { NodemailerError } from "nodemailer"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { mailboxName, withMailbox } from "./Mailbox.js"
import { transportOptions } from "./MailPools.js"
import { imapServer, smtpServer } from "./mailServer.js"
import { loginOutcome } from "./smtpOutcome.js"
import { tlsProblemOf } from "./tlsProblem.js"

/** Timeout of one server in ms: less than the engine's 30 s for the check, which cannot name the server. */
const timeout = 25 * second

/**
 * Logs in to the SMTP server and, at the same time, opens the mailbox on the IMAP server. Sends nothing. If both fail,
 * the problem is that of the SMTP server.
 */
export const checkServers = (account: EmailAccount, options: EmailOptions): Effect.Effect<CheckOutcome> =>
  Effect.map(
    Effect.all([Effect.either(outgoing(account, options)), Effect.either(incoming(account, options))], {
      concurrency: "unbounded"
    }),
    (checked) =>
      Either.match(Either.all(checked), {
        onLeft: (problem) => CheckOutcome.Failing({ problem }),
        onRight: (details) => CheckOutcome.Working({ detail: details.join(" ") })
      })
  )

/** A server that sends a byte now and then keeps all other timeouts from ending. */
const inTime = <A>(check: Effect.Effect<A, string>, server: string): Effect.Effect<A, string> =>
  Effect.timeoutFail(check, {
    duration: Duration.millis(timeout),
    onTimeout: () => `The ${server} does not end its answers within ${timeout / second} s.`
  })

const outgoing = (account: EmailAccount, options: EmailOptions): Effect.Effect<string, string> => {
  const { host, port } = smtpServer(account.config.smtp)
  const server = `${host}:${port}`
  return Effect.acquireUseRelease(
    Effect.map(
      Effect.promise(() => import("nodemailer")),
      ({ createTransport }) => createTransport({ ...transportOptions(account, options), socketTimeout: timeout })
    ),
    (transport) =>
      Effect.tryPromise({
        try: () => transport.verify(),
        catch: (error) => `The SMTP server ${server} ${problemOf(error as NodemailerError)}.`
      }),
    (transport) => Effect.sync(() => transport.close())
  ).pipe(
    (check) => inTime(check, `SMTP server ${server}`),
    Effect.as(`Mail from ${account.address} goes out through ${server}.`)
  )
}

/** The problem, to follow the words "the SMTP server". */
const problemOf = (error: NodemailerError): string => {
  const { code, originalCode, responseCode } = error
  const login = loginOutcome(error)
  if (login !== null) return login.problem
  const why = responseCode ?? originalCode ?? code
  const tls = tlsProblemOf(originalCode ?? code)
  if (tls !== null) return tls
  if (code === "ETLS") return `has no protected connection as security asks for it: ${why}`
  return `does not answer as it should: ${why}`
}

const incoming = (account: EmailAccount, options: EmailOptions): Effect.Effect<string, string> => {
  const { config, credentials } = account
  if (config.imap === undefined) {
    const webhook = "Mail comes in by webhook."
    return Effect.succeed(credentials.inbound_secret === undefined ? "No mail comes in." : webhook)
  }
  const { host, port } = imapServer(config.imap)
  const server = `${host}:${port}`
  return withMailbox(account, config.imap, options, () => Effect.void).pipe(
    Effect.mapError(({ reason }: ProviderUnavailable) => `The IMAP server ${server} ${reason}.`),
    (check) => inTime(check, `IMAP server ${server}`),
    Effect.as(`Mail comes in from ${mailboxName(config.imap)} at ${server}.`)
  )
}
