import type { Readable } from "node:stream"
import { rootCertificates } from "node:tls"
import { minute, second } from "@parley/core"
import { Data, Effect } from "effect"
import { createTransport, type NodemailerError, type SendMailOptions, type SMTPPoolOptions } from "nodemailer"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { smtpServer } from "./mailServer.js"

/** A mail was not sent, or its outcome is unknown. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  readonly error: NodemailerError
  /** Whether the server may have received all of the mail: the transfer of its text had started. */
  readonly begun: boolean
}> {}

/** The connections to the SMTP servers of all accounts. */
export interface MailPools {
  /** Sends a mail to the account's SMTP server. Completes when the server has accepted it. */
  readonly send: (account: EmailAccount, mail: SendMailOptions) => Effect.Effect<void, MailNotSent>
}

/** Servers may take minutes to accept the end of a mail (RFC 5321, 4.5.3.2.6). In ms. */
const timeout = 5 * minute

/** Text of a header or body must not be interpreted as a path or URL whose content is read. */
const nothingElse = { disableFileAccess: true, disableUrlAccess: true }

/** The nodemailer options for an account's SMTP server. */
export const transportOptions = ({ config, credentials }: EmailAccount, { ca }: EmailOptions) => {
  const { host, port, security } = smtpServer(config.smtp)
  return {
    host,
    port,
    secure: security === "tls",
    requireTLS: security === "starttls",
    ignoreTLS: security === "none",
    ...(credentials.smtp === undefined
      ? {}
      : { auth: { user: credentials.smtp.user, pass: credentials.smtp.password } }),
    ...(ca === undefined ? {} : { tls: { ca: [...rootCertificates, ca] } }),
    connectionTimeout: 10 * second,
    greetingTimeout: 20 * second,
    dnsTimeout: 10 * second,
    socketTimeout: timeout,
    ...nothingElse
  }
}

/**
 * A connection pool for each Parley connection. Its first mail opens the pool, changed settings replace it, and it is
 * removed with its last socket. Idle sockets close after a timeout, so that pools need no explicit close.
 */
export const mailPools = (options: EmailOptions): MailPools => {
  const pools = new Map<string, Pool>()

  const poolOf = (account: EmailAccount): Pool => {
    const settings: SMTPPoolOptions = {
      ...transportOptions(account, options),
      maxConnections: account.config.smtp.connections ?? 5,
      idleTimeout: options.idleMs ?? 10 * second
    }
    const madeOf = JSON.stringify(settings)
    const present = pools.get(account.id)
    if (present?.madeOf === madeOf) return present
    // Mails in transfer are completed; queued ones are retried by the new pool.
    present?.close()
    const pool = openPool(settings, madeOf, () => {
      if (pools.get(account.id) === pool) pools.delete(account.id)
    })
    pools.set(account.id, pool)
    return pool
  }

  return {
    send: (account, mail) =>
      Effect.tryPromise({
        try: (interrupted) =>
          poolOf(account).send({ ...mail, signal: AbortSignal.any([interrupted, AbortSignal.timeout(timeout)]) }),
        catch: (error) =>
          error instanceof MailNotSent ? error : new MailNotSent({ error: error as Error, begun: false })
      })
  }
}

interface Pool {
  /** The settings as text, to detect changes. */
  readonly madeOf: string
  /** Fails with {@link MailNotSent}. */
  readonly send: (mail: SendMailOptions & { readonly signal: AbortSignal }) => Promise<void>
  readonly close: () => void
}

const openPool = (settings: SMTPPoolOptions, madeOf: string, onEmpty: () => void): Pool => {
  const transport = createTransport({ ...settings, pool: true })
  /** The stream of each mail's text. Nodemailer starts to read it when the server accepts the DATA command. */
  const texts = new WeakMap<AbortSignal, Readable>()
  transport.use("stream", ({ data, message }, done) => {
    message.processFunc((text) => {
      if (data.signal !== undefined) texts.set(data.signal, text)
      return text
    })
    done()
  })
  transport.on("clear", onEmpty)
  return {
    madeOf,
    close: () => transport.close(),
    send: (mail) =>
      transport.sendMail(mail).then(
        () => undefined,
        (error: NodemailerError) => {
          throw new MailNotSent({ error, begun: texts.get(mail.signal)?.readableDidRead ?? false })
        }
      )
  }
}
