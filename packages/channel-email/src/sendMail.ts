import {
  BlobsUnavailable,
  type Instant,
  minute,
  type OutboundFile,
  type OutboundMessage,
  SendOutcome
} from "@parley/core"
import { Duration, Effect, Either, Stream } from "effect"
import { composeMail } from "./composeMail.js"
import type { EmailAccount } from "./EmailAccount.js"
import type { MailPools } from "./MailPools.js"
import { mailIdOf } from "./mailId.js"
import { smtpOutcome } from "./smtpOutcome.js"

/** Timeout of reading the bytes of a message's files, in ms (docs/reference/email.md#smtp-connections). */
export const filesTimeout = minute

/** Sends a message as a mail. The outcome is `sent` once the SMTP server has accepted it. */
export const sendMail = (
  pools: MailPools,
  account: EmailAccount,
  message: OutboundMessage,
  now: Instant
): Effect.Effect<SendOutcome> =>
  attachmentsOf(message).pipe(
    Effect.flatMap((attachments) =>
      Either.match(composeMail(account, message, [...attachments], now), {
        onLeft: (problem) =>
          Effect.succeed(SendOutcome.Rejected({ scope: "message", code: "provider_error", ...problem })),
        onRight: (mail) =>
          Effect.match(pools.send(account, mail), {
            onFailure: (failure) => withoutSecrets(smtpOutcome(failure), account),
            onSuccess: () =>
              SendOutcome.Accepted({ providerMessageId: mailIdOf(message.id, account.address), receipts: [] })
          })
      })
    ),
    Effect.catchAll(({ reason }) => Effect.succeed(SendOutcome.Transient({ reason })))
  )

/** The bytes are read before the mail is begun, so that a file that cannot be read leaves no mail half sent. */
const attachmentsOf = ({ files = [] }: OutboundMessage) =>
  files.length === 0
    ? Effect.succeed([])
    : Effect.timeoutFail(Effect.forEach(files, attachmentOf), {
        duration: Duration.millis(filesTimeout),
        onTimeout: () => new BlobsUnavailable({ reason: "the files could not be read in time" })
      })

const attachmentOf = ({ bytes, contentType, fileName }: OutboundFile) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => ({
    filename: fileName ?? (false as const),
    contentType,
    content: Buffer.concat([...chunks])
  }))

/** A server's reply can repeat the password, also as it was sent (RFC 4616, and the command `AUTH LOGIN`). */
const withoutSecrets = (outcome: SendOutcome, { credentials: { smtp } }: EmailAccount): SendOutcome => {
  if (outcome._tag !== "Rejected" || smtp === undefined) return outcome
  const { password, user } = smtp
  const sent = [`\0${user}\0${password}`, password].map((text) => Buffer.from(text).toString("base64"))
  const providerMessage = [password, ...sent].reduce(
    (rest, secret) => rest.replaceAll(secret, "…"),
    outcome.providerMessage
  )
  return { ...outcome, providerMessage }
}
