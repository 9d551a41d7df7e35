import { type Instant, normaliseHandle, type OutboundMessage, type OutboundSignedIds } from "@parley/core"
import { Either, Option } from "effect"
import type { SendMailOptions } from "nodemailer"
import type { Business } from "./EmailAccount.js"
import { isMailId, mailIdIn, mailIdOf } from "./mailId.js"
import { returnPathOf } from "./returnPath.js"

/** The reason that a message cannot be sent as a mail. */
export interface ComposeProblem {
  readonly providerCode: "line_break" | "invalid_address"
  readonly providerMessage: string
}

/**
 * The mail of a message (RFC 5322). Fails for a line break in a header, which would add another header, and for a
 * recipient in another spelling than the normalised one, which an opt-out would not match.
 */
export const composeMail = (
  { address, config, name }: Business,
  message: OutboundMessage,
  attachments: SendMailOptions["attachments"],
  now: Instant
): Either.Either<SendMailOptions, ComposeProblem> => {
  const { signedIds = null } = message
  const sender =
    config.return_path === undefined || signedIds === null
      ? address
      : returnPathOf(config.return_path, signedIds.report)
  const subject = message.subject ?? subjectOf(message.thread) ?? config.default_subject ?? `Message from ${name}`
  const earlier = message.thread.map(({ providerMessageId }) => mailIdIn(providerMessageId))
  const quoted = message.quoted == null ? null : mailIdIn(message.quoted)
  // The last one is the mail that this one answers.
  const before = [...earlier.filter((id) => id !== quoted), ...(quoted === null ? [] : [quoted])].filter(isMailId)
  if ([subject, name, address, message.to].some((text) => /[\r\n]/.test(text))) {
    return Either.left({
      providerCode: "line_break",
      providerMessage: "A header of the mail would have a line break in it."
    })
  }
  if (Option.getOrNull(Either.getRight(normaliseHandle("email", message.to))) !== message.to) {
    return Either.left({ providerCode: "invalid_address", providerMessage: "The recipient is not an email address." })
  }
  return Either.right({
    messageId: mailIdOf(message.id, address),
    date: new Date(now),
    from: { name, address },
    to: { name: "", address: message.to },
    ...(config.reply_to === undefined ? {} : { replyTo: { name: "", address: config.reply_to } }),
    subject,
    ...(before.length === 0 ? {} : { inReplyTo: before.at(-1), references: before }),
    ...unsubscribing(config.unsubscribe, signedIds),
    headers: { ...automaticHeader(message), ...oneClickHeader(signedIds) },
    text: withChooseUrl(message.body, signedIds),
    ...(attachments === undefined || attachments.length === 0 ? {} : { attachments }),
    // The parts are alternatives, the text first: clients show the last one that they support (RFC 2046, 5.1.4).
    ...(message.html == null ? {} : { html: message.html }),
    // Other encodings would break lines at other places.
    textEncoding: "quoted-printable",
    // Objects: nodemailer would parse strings again, and find other mailboxes in them.
    envelope: { from: { name: "", address: sender }, to: [{ name: "", address: message.to }] },
    dsn: {
      id: signedIds?.report ?? message.id,
      recipient: message.to,
      return: "headers",
      notify: config.delivery_receipts === true ? ["failure", "success"] : ["failure"]
    }
  })
}

/**
 * The newest subject of the conversation, with the prefix of a reply. Line breaks in a customer's subject are removed.
 */
const subjectOf = (thread: OutboundMessage["thread"]): string | null => {
  const newest = thread.findLast(({ subject }) => subject !== null && subject.trim() !== "")?.subject
  if (newest == null) return null
  const plain = newest.replace(/\s+/g, " ").trim()
  return /^(re|aw|sv|vs|antw|odp|rif|ref|ynt)\s*:/i.test(plain) ? plain : `Re: ${plain}`
}

/** The text of a question ends with the link to its page, which needs no words (docs/reference/email.md#choices). */
const withChooseUrl = (body: string, signedIds: OutboundSignedIds | null): string =>
  signedIds?.chooseUrl == null ? body : `${body}\n\n${signedIds.chooseUrl}`

/** The header for the unsubscribe button of mail programs (RFC 2369, 3.2; RFC 8058, 3.1). */
const unsubscribing = (
  address: string | undefined,
  signedIds: OutboundSignedIds | null
): Pick<SendMailOptions, "list"> => {
  const url = signedIds?.unsubscribeUrl ?? null
  const subject = signedIds === null ? "unsubscribe" : `unsubscribe%20${signedIds.unsubscribe}`
  const mailto = address === undefined ? null : `mailto:${encodeURI(address)}?subject=${subject}`
  const ways = [url, mailto].filter((way) => way !== null)
  return ways.length === 0 ? {} : { list: { unsubscribe: [ways] } }
}

const oneClickHeader = (signedIds: OutboundSignedIds | null): { readonly [name: string]: string } =>
  signedIds?.unsubscribeUrl == null ? {} : { "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" }

/** Marks what a program writes, so that automatic replies of others do not answer it (RFC 3834, 5). */
const automaticHeader = ({ automatic = false, origin }: OutboundMessage): { readonly [name: string]: string } => {
  if (automatic || origin === "bot") return { "Auto-Submitted": "auto-replied" }
  return origin === "workflow" ? { "Auto-Submitted": "auto-generated" } : {}
}
