import type { Readable } from "node:stream"
import { rootCertificates } from "node:tls"
import { minute, second } from "@parley/core"
import { Data, Effect } from "effect"
import { createTransport, type NodemailerError, type SendMailOptions, type SMTPPoolOptions } from "nodemailer"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailOptions } from "./EmailOptions.js"
import { smtpServer } from "./mailServer.js"

/** A mail did not go out, as far as is known. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  readonly error: NodemailerError
  /** Whether the server may have had all of it: its text was on the way. */
  readonly begun: boolean
}> {}

/** The connections to the SMTP servers of all accounts. */
export interface MailPools {
  /** Hands a mail to the account's server; done when that has it. */
  readonly send: (account: EmailAccount, mail: SendMailOptions) => Effect.Effect<void, MailNotSent>
}

/** Servers may take long to look through a mail that they have (RFC 5321, 4.5.3.2.6). */
const patience = 5 * minute

/** Any text of a mail, in a header or in the body, must not become a path or a URL that is read. */
const nothingElse = { disableFileAccess: true, disableUrlAccess: true }

/** How nodemailer is to reach an account's server. */
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
    socketTimeout: patience,
    ...nothingElse
  }
}

/**
 * A pool for each connection that sends: opened by its first mail, opened anew when its settings change, gone with its last
 * socket. Sockets close once they were idle for a while, so that nothing has to be closed by hand.
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
    // What it is sending goes out; what waits in it is tried again.
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
          poolOf(account).send({ ...mail, signal: AbortSignal.any([interrupted, AbortSignal.timeout(patience)]) }),
        catch: (error) =>
          error instanceof MailNotSent ? error : new MailNotSent({ error: error as Error, begun: false })
      })
  }
}

interface Pool {
  /** Its settings as text, to tell whether they are others now. */
  readonly madeOf: string
  /** Fails with {@link MailNotSent}. */
  readonly send: (mail: SendMailOptions & { readonly signal: AbortSignal }) => Promise<void>
  readonly close: () => void
}

const openPool = (settings: SMTPPoolOptions, madeOf: string, onEmpty: () => void): Pool => {
  const transport = createTransport({ ...settings, pool: true })
  /** The text of each mail, which its connection begins to read when the server asks for it. */
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
