import { rootCertificates } from "node:tls"
import { ProviderUnavailable, second } from "@parley/core"
import { Effect } from "effect"
import { ImapFlow, type ImapFlowOptions, type MailboxObject } from "imapflow"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailConfig } from "./EmailConfig.js"
import type { EmailOptions } from "./EmailOptions.js"
import { longestMail } from "./inboundParse.js"
import { imapServer } from "./mailServer.js"

/** A mailbox that is open to be read, and only to be read. */
export interface Mailbox {
  readonly about: MailboxObject
  /** Does something over the connection; fails in our own words. */
  readonly ask: <A>(what: (client: ImapFlow) => Promise<A>) => Effect.Effect<A, ProviderUnavailable>
}

type Imap = NonNullable<EmailConfig["imap"]>

/** Logs in at the account's IMAP server and opens its mailbox. The connection ends with `use`. */
export const withMailbox = <A>(
  account: EmailAccount,
  imap: Imap,
  options: EmailOptions,
  use: (mailbox: Mailbox) => Effect.Effect<A, ProviderUnavailable>
): Effect.Effect<A, ProviderUnavailable> => {
  const asking =
    (client: ImapFlow): Mailbox["ask"] =>
    (what) =>
      Effect.tryPromise({
        try: () => what(client),
        catch: (error) => new ProviderUnavailable({ reason: problemOf(error, imap) })
      })
  return Effect.acquireUseRelease(
    Effect.sync(() => {
      const client = new ImapFlow(clientOptions(account, imap, options))
      // Whoever waits for an answer is told; nobody else needs to be.
      client.on("error", () => {})
      return client
    }),
    (client) => {
      const ask = asking(client)
      return Effect.gen(function* () {
        yield* ask(() => client.connect())
        const about = yield* ask(() => client.mailboxOpen(mailboxName(imap), { readOnly: true }))
        const result = yield* use({ about, ask })
        yield* Effect.ignore(ask(() => client.logout()))
        return result
      })
    },
    (client) => Effect.sync(() => client.close())
  )
}

/** The mailbox to read. */
export const mailboxName = ({ mailbox = "INBOX" }: Pick<Imap, "mailbox">): string => mailbox

const clientOptions = ({ credentials }: EmailAccount, imap: Imap, { ca }: EmailOptions): ImapFlowOptions => {
  const { host, port, security } = imapServer(imap)
  const login = credentials.imap ?? credentials.smtp
  return {
    host,
    port,
    secure: security === "tls",
    ...(security === "tls" ? {} : { doSTARTTLS: security === "starttls" }),
    ...(login === undefined ? {} : { auth: { user: login.user, pass: login.password } }),
    ...(ca === undefined ? {} : { tls: { ca: [...rootCertificates, ca] } }),
    clientInfo: { name: "Parley" },
    logger: false,
    disableAutoIdle: true,
    // A mail compresses a thousandfold where somebody wants it to.
    disableCompression: true,
    connectionTimeout: 10 * second,
    greetingTimeout: 20 * second,
    socketTimeout: 60 * second,
    maxLineLength: longestMail,
    maxLiteralSize: 2 * longestMail,
    maxResponseSize: 3 * longestMail
  }
}

/** What went wrong, after the words "the IMAP server"; never the server's own words. */
const problemOf = (error: unknown, imap: Imap): string => {
  const { authenticationFailed, code, executedCommand } = error as ImapError
  if (authenticationFailed === true) return "does not take the user name and password"
  if (/\bEXAMINE\b/.test(executedCommand ?? "")) return `has no mailbox ${mailboxName(imap)}, or does not open it`
  return code === undefined ? "does not answer as it should" : `does not answer as it should: ${code}`
}

/** What imapflow says of a failure, as far as it is looked at. */
interface ImapError {
  readonly authenticationFailed?: boolean
  readonly code?: string
  readonly executedCommand?: string
}
