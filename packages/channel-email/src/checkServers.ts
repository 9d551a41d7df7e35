import { CheckOutcome, type ProviderUnavailable, second } from "@parley/core"
import { Effect } from "effect"
import type { NodemailerError } from "nodemailer"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { mailboxName, withMailbox } from "./Mailbox.js"
import { transportOptions } from "./MailPools.js"
import { imapServer, smtpServer } from "./mailServer.js"

/** An operator waits for the check. In ms. */
const timeout = 20 * second

/** Logs in to the SMTP server, and opens the mailbox on the IMAP server. Sends nothing. */
export const checkServers = (account: EmailAccount, options: EmailOptions): Effect.Effect<CheckOutcome> =>
  Effect.all([outgoing(account, options), incoming(account, options)]).pipe(
    Effect.match({
      onFailure: (problem) => CheckOutcome.Failing({ problem }),
      onSuccess: (details) => CheckOutcome.Working({ detail: details.join(" ") })
    })
  )

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
  ).pipe(Effect.as(`Mail from ${account.address} goes out through ${server}.`))
}

/** The problem, to follow the words "the SMTP server". */
const problemOf = ({ code, originalCode, responseCode }: NodemailerError): string => {
  if (code === "EAUTH" || code === "ENOAUTH") return "does not take the user name and password"
  const why = responseCode ?? originalCode ?? code
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
    Effect.as(`Mail comes in from ${mailboxName(config.imap)} at ${server}.`)
  )
}
