import { type Instant, type OutboundMessage, SendOutcome } from "@parley/core"
import { Effect, Either } from "effect"
import { composeMail } from "./composeMail.js"
import type { EmailAccount } from "./EmailAccount.js"
import type { MailPools } from "./MailPools.js"
import { mailIdOf } from "./mailId.js"
import { smtpOutcome } from "./smtpOutcome.js"

/** Sends a message as a mail. The outcome is `sent` once the SMTP server has accepted it. */
export const sendMail = (
  pools: MailPools,
  account: EmailAccount,
  message: OutboundMessage,
  now: Instant
): Effect.Effect<SendOutcome> =>
  Either.match(composeMail(account, message, now), {
    onLeft: (problem) => Effect.succeed(SendOutcome.Rejected({ scope: "message", code: "provider_error", ...problem })),
    onRight: (mail) =>
      Effect.match(pools.send(account, mail), {
        onFailure: (failure) => withoutSecrets(smtpOutcome(failure), account),
        onSuccess: () =>
          SendOutcome.Accepted({ providerMessageId: mailIdOf(message.id, account.address), receipts: [] })
      })
  })

/** A server's reply can repeat the password. */
const withoutSecrets = (outcome: SendOutcome, { credentials: { smtp } }: EmailAccount): SendOutcome =>
  outcome._tag === "Rejected" && smtp !== undefined
    ? { ...outcome, providerMessage: outcome.providerMessage.replaceAll(smtp.password, "…") }
    : outcome
