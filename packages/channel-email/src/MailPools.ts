import type { Readable } from "node:stream"
import { rootCertificates } from "node:tls"
import { minute, second } from "@parley/core"
import { Data, Duration, Effect } from "effect"
import type { createTransport, NodemailerError, SendMailOptions, SMTPPoolOptions } from "nodemailer"
import type { EmailAccount } from "./EmailAccount.js"
import type { EmailConfig } from "./EmailConfig.js"
import type { EmailOptions } from "./EmailOptions.js"
import { smtpServer } from "./mailServer.js"

/** A mail was not sent, or its outcome is unknown. */
export class MailNotSent extends Data.TaggedError("MailNotSent")<{
  readonly error: NodemailerError
  /** Whether the server may have the whole mail: all of its text was handed to the connection. */
  readonly complete: boolean
}> {}

/** The connections to the SMTP servers of all accounts. */
export interface MailPools {
  /** Sends a mail to the account's SMTP server. Completes when the server has accepted it. */
  readonly send: (account: EmailAccount, mail: SendMailOptions) => Effect.Effect<void, MailNotSent>
}

/** Timeout of a mail until all of its text is on its way, in ms (docs/reference/email.md#smtp-connections). */
const transferTimeout = 10 * minute

/** Servers may take minutes to accept the end of a mail (RFC 5321, 4.5.3.2.6). In ms. */
const answerTimeout = 10 * minute

/** The longest time of {@link MailPools.send}, in ms. */
export const maxSendTime = transferTimeout + answerTimeout

/** The number of mails that are sent to an account's SMTP server at once. */
export const connectionsOf = ({ smtp }: EmailConfig): number => smtp.connections ?? 5

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
    socketTimeout: answerTimeout,
    ...nothingElse
  }
}

/**
 * A connection pool for each Parley connection. Its first mail opens the pool, changed settings replace it, and it is
 * removed with its last socket. Idle sockets close after a timeout, so that pools need no explicit close.
 */
export const mailPools = (options: EmailOptions): MailPools => {
  const pools = new Map<string, Pool>()
  const texts: Texts = new WeakMap()

  const poolOf = async (account: EmailAccount): Promise<Pool> => {
    // Loaded when it is needed: most hosts start without a mail to send.
    const { createTransport } = await import("nodemailer")
    const settings: SMTPPoolOptions = {
      ...transportOptions(account, options),
      maxConnections: connectionsOf(account.config),
      idleTimeout: options.idleMs ?? 10 * second
    }
    const madeOf = JSON.stringify(settings)
    const present = pools.get(account.id)
    if (present?.madeOf === madeOf) return present
    // Mails in transfer are completed; queued ones are retried by the new pool.
    present?.close()
    const pool = openPool(createTransport, settings, madeOf, texts, () => {
      if (pools.get(account.id) === pool) pools.delete(account.id)
    })
    pools.set(account.id, pool)
    return pool
  }

  return {
    send: (account, mail) =>
      Effect.suspend(() => {
        const cancel = new AbortController()
        const { signal } = cancel
        const isComplete = () => texts.get(signal)?.readableEnded ?? false
        const abort = Effect.sync(() => cancel.abort())
        const sent = Effect.tryPromise({
          try: async () => (await poolOf(account)).send({ ...mail, signal }),
          catch: (error) => new MailNotSent({ error: error as NodemailerError, complete: isComplete() })
        })
        // A timeout of the effect would not tell how far the transfer came.
        const limit = Effect.delay(
          Effect.suspend(() => (isComplete() ? Effect.void : abort)),
          Duration.millis(transferTimeout)
        )
        return Effect.scoped(
          Effect.zipRight(
            Effect.forkScoped(limit),
            Effect.onInterrupt(sent, () => abort)
          )
        )
      })
  }
}

interface Pool {
  /** The settings as text, to detect changes. */
  readonly madeOf: string
  readonly send: (mail: SendMailOptions & { readonly signal: AbortSignal }) => Promise<unknown>
  readonly close: () => void
}

/** The stream of each mail's text. It ends before Nodemailer writes the end of the mail. */
type Texts = WeakMap<AbortSignal, Readable>

const openPool = (
  create: typeof createTransport,
  settings: SMTPPoolOptions,
  madeOf: string,
  texts: Texts,
  onEmpty: () => void
): Pool => {
  const transport = create({ ...settings, pool: true })
  transport.use("stream", ({ data, message }, done) => {
    message.processFunc((text) => {
      if (data.signal !== undefined) texts.set(data.signal, text)
      return text
    })
    done()
  })
  transport.on("clear", onEmpty)
  return { madeOf, close: () => transport.close(), send: (mail) => transport.sendMail(mail) }
}
