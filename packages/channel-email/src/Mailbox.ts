import { createHash } from "node:crypto"
import { rootCertificates } from "node:tls"
import { ProviderUnavailable, second } from "@parley/core"
import { Effect } from "effect"
import type { ImapFlow, ImapFlowOptions, MailboxObject } from "imapflow"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailConfig } from "./EmailConfig.js"
import type { EmailOptions } from "./EmailOptions.js"
import { maxMailBytes } from "./inboundParse.js"
import { imapServer } from "./mailServer.js"
import { tlsProblemOf } from "./tlsProblem.js"

/** A mailbox opened read-only. */
export interface Mailbox {
  readonly about: MailboxObject
  /** Runs a command on the IMAP connection. Fails with a message of Parley's, never the server's. */
  readonly ask: <A>(what: (client: ImapFlow) => Promise<A>) => Effect.Effect<A, ProviderUnavailable>
}

// Loaded when it is needed: most hosts start without a mailbox.
const importImapflow = Effect.promise(() => import("imapflow"))

type Imap = NonNullable<EmailConfig["imap"]>

/** Logs in to the account's IMAP server and opens its mailbox read-only. The connection is closed after `use`. */
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
    Effect.map(importImapflow, ({ ImapFlow }) => {
      const client = new ImapFlow(clientOptions(account, imap, options))
      // Errors also fail the pending command. Without a handler, the event would end the process.
      client.on("error", () => {})
      return client
    }),
    (client) => {
      const ask = asking(client)
      return Effect.gen(function* () {
        yield* ask(() => client.connect())
        const about = yield* openReadOnly(ask, mailboxName(imap))
        const result = yield* use({ about, ask })
        // It would wait for the answer to an abandoned command.
        yield* Effect.ignore(
          Effect.timeout(
            ask(() => client.logout()),
            "5 seconds"
          )
        )
        return result
      })
    },
    (client) => Effect.sync(() => client.close())
  )
}

/** Opens a mailbox. Fails without a `UIDVALIDITY`: UIDs would not identify mails (RFC 9051, 2.3.1.1). */
export const openReadOnly = (ask: Mailbox["ask"], name: string): Effect.Effect<MailboxObject, ProviderUnavailable> =>
  Effect.filterOrFail(
    ask((client) => client.mailboxOpen(name, { readOnly: true })),
    ({ uidValidity }) => uidValidity !== undefined,
    () => new ProviderUnavailable({ reason: "has no UIDVALIDITY" })
  )

/** The name of the mailbox to read. */
export const mailboxName = ({ mailbox = "INBOX" }: Pick<Imap, "mailbox">): string => mailbox

/** A hash of the server, the user and the mailbox, equal for the same mailbox only. */
export const mailboxKey = ({ credentials }: EmailAccount, imap: Imap): string => {
  const { host, port } = imapServer(imap)
  const user = loginOf(credentials)?.user ?? null
  return createHash("sha256")
    .update(JSON.stringify([host.toLowerCase(), port, user, mailboxName(imap)]))
    .digest("hex")
}

const loginOf = ({ imap, smtp }: EmailAccount["credentials"]) => imap ?? smtp

const clientOptions = ({ credentials }: EmailAccount, imap: Imap, { ca }: EmailOptions): ImapFlowOptions => {
  const { host, port, security } = imapServer(imap)
  const login = loginOf(credentials)
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
    // A malicious mail can be compressed by a factor of a thousand.
    disableCompression: true,
    connectionTimeout: 10 * second,
    greetingTimeout: 20 * second,
    socketTimeout: 60 * second,
    maxLineLength: maxMailBytes,
    maxLiteralSize: 2 * maxMailBytes,
    maxResponseSize: 3 * maxMailBytes
  }
}

/** The problem, to follow the words "the IMAP server". It never contains text of the server. */
const problemOf = (error: unknown, imap: Imap): string => {
  const { authenticationFailed, code, executedCommand, message, serverResponseCode, tlsFailed } = error as ImapError
  const tls = tlsProblemOf(code)
  if (tls !== null) return tls
  if (tlsFailed === true) {
    return code === undefined ? "has no STARTTLS, which security asks for" : `begins no protected connection: ${code}`
  }
  // imapflow also sets this where the connection ended during the login.
  if (authenticationFailed === true && code === undefined) {
    // LOGINDISABLED, or the code of a refused login (RFC 9051, 6.2.3; RFC 5530).
    if (message === "Login is disabled" || serverResponseCode === "PRIVACYREQUIRED") {
      return "takes no login without TLS: set security to tls or starttls"
    }
    return /^(UNAVAILABLE|INUSE|LIMIT|SERVERBUG)$/.test(serverResponseCode ?? "")
      ? `cannot check logins now: ${serverResponseCode}`
      : "does not take the user name and password"
  }
  if (/\bEXAMINE\b/.test(executedCommand ?? "")) return `has no mailbox ${mailboxName(imap)}, or does not open it`
  return code === undefined ? "does not answer as it should" : `does not answer as it should: ${code}`
}

/** The fields of imapflow's errors that are read. */
interface ImapError {
  readonly authenticationFailed?: boolean
  readonly code?: string
  readonly executedCommand?: string
  readonly message?: string
  /** The code in brackets of a refused login. */
  readonly serverResponseCode?: string
  /** No protected connection came about by STARTTLS. */
  readonly tlsFailed?: boolean
}
