import {
  InboundEvent as Event,
  type InboundEvent,
  type Instant,
  idInSignedId,
  isUuid,
  type Receipt,
  type ReportEvidence
} from "@parley/core"
import { isProven } from "./authentication.js"
import type { Business } from "./EmailAccount.js"
import { isAutomatic } from "./isAutomatic.js"
import { mailIdOf, ownMessageId } from "./mailId.js"
import { type Mail, utf8 } from "./readMail.js"
import { signedIdOf } from "./returnPath.js"
import type { Writer } from "./writer.js"

/** The types of the fields of a report; the second one of mails with UTF-8 in their addresses (RFC 6533). */
const statusTypes = ["message/delivery-status", "message/global-delivery-status"]

/** The types of the returned mail or its headers. */
const returnedTypes = ["text/rfc822-headers", "message/global-headers", "message/rfc822", "message/global"]

/**
 * Whether the mail is an automatic report about another mail. Such a mail is never a customer's message. The address of
 * a list or form says nothing about the writer. Customers forward reports that they got, whose parts some programs
 * attach one by one.
 */
export const isReport = (mail: Mail, writer: Writer | null): boolean =>
  /^multipart\/report\b/i.test(mail.header("content-type") ?? "") ||
  (fileOf(mail, statusTypes) !== null && isAutomatic(mail, false)) ||
  (/^(mailer-daemon|postmaster)@/i.test(mail.from?.address ?? "") && writer?.address === mail.from?.address)

/**
 * The receipt in a delivery report (RFC 3464) about a mail sent from this address, with its evidence: anyone can write
 * such a report. Null for another mail, for a report of neither failure nor delivery, and for one that names two mails.
 */
export const receiptIn = (report: Mail, business: Business, now: Instant): InboundEvent | null => {
  const { address, config } = business
  const status = fileOf(report, statusTypes)
  if (status === null) return null
  const [envelopeId = ""] = fieldsOf(status, "original-envelope-id")
  const inReturnPath = config.return_path === undefined ? null : signedIdOf(report, config.return_path)
  const signedId = inReturnPath ?? (idInSignedId(envelopeId) === null ? null : envelopeId)
  const signedMessage = signedId === null ? null : idInSignedId(signedId)
  const namedMessage = reportedMessage(report, envelopeId, address)
  if (signedMessage !== null && namedMessage !== null && signedMessage !== namedMessage) return null
  const messageId = signedMessage ?? namedMessage
  const recipient = reportedRecipient(status)
  if (messageId === null || recipient === null) return null
  const { fields, reached } = recipient
  const receipt: Receipt = {
    status: reached,
    at: Math.min(report.date ?? now, now),
    error: reached === "failed" ? { code: "provider_error", message: reasonOf(fieldsOf(fields, "status")) } : null
  }
  const evidence: ReportEvidence = {
    signedId,
    needsSignedId: config.return_path !== undefined || !isProven(business, report),
    originalRecipient: addressIn(fields, "original-recipient"),
    finalRecipient: addressIn(fields, "final-recipient")
  }
  return Event.Receipt({ providerMessageId: mailIdOf(messageId, address), messageId, receipt, evidence })
}

/** The message id, from the returned mail or else from an envelope id that is not signed. */
const reportedMessage = (report: Mail, envelopeId: string, address: string): string | null => {
  const returned = fileOf(report, returnedTypes) ?? ""
  const own = ownMessageId(fieldsOf(returned, "message-id")[0] ?? "", address)
  return own ?? (isUuid(envelopeId) ? envelopeId.toLowerCase() : null)
}

/** The fields of one recipient in a report, and whether the mail reached it. */
interface ReportedRecipient {
  readonly fields: string
  readonly reached: "failed" | "delivered"
}

/** The first recipient to whom the delivery failed, else the first to whom it succeeded. */
const reportedRecipient = (status: string): ReportedRecipient | null => {
  const recipients = status.split(/\r?\n[ \t]*\r?\n/).map((fields) => ({
    fields,
    action: fieldsOf(fields, "action")[0]?.toLowerCase()
  }))
  for (const reached of ["failed", "delivered"] as const) {
    const found = recipients.find(({ action }) => action === reached)
    if (found !== undefined) return { fields: found.fields, reached }
  }
  return null
}

/** The address in a field such as `rfc822; ada@customer.example`. Null if the field is absent or not of mail. */
const addressIn = (fields: string, name: string): string | null => {
  const [, type = "", address = ""] = /^([^;]*);(.*)$/.exec(fieldsOf(fields, name)[0] ?? "") ?? []
  if (!/^(rfc822|utf-8)$/i.test(type.trim()) || address.trim() === "") return null
  // Some servers leave the encoding of ORCPT (RFC 3461, 4). It is in upper case, and addresses are sent in lower case.
  const bytes = address
    .trim()
    .replace(/^<(.*)>$/, "$1")
    .replace(/\+2B/g, "+")
    .replace(/\+3D/g, "=")
    .replace(encodedCharacter, (hex) => Buffer.from(hex.replaceAll("+", ""), "hex").toString("latin1"))
  // Reports in ASCII about such an address (RFC 6533, 3).
  return utf8(bytes).replace(/\\x\{(10[\dA-F]{4}|[\dA-F]{2,5})\}/gi, (_, hex: string) =>
    String.fromCodePoint(Number.parseInt(hex, 16))
  )
}

/** A character beyond ASCII, of whose UTF-8 each byte is encoded. */
const encodedCharacter = /\+(?:C[2-9A-F]|[DE][\dA-F]|F[0-4])(?:\+[89AB][\dA-F]){1,3}/g

/** The first file of the first of these types that has one. The headers of the returned mail suffice. */
const fileOf = ({ files }: Mail, types: ReadonlyArray<string>): string | null => {
  const [file] = types.flatMap((type) => files.filter(({ contentType }) => contentType === type))
  return file === undefined ? null : Buffer.from(file.bytes.subarray(0, 256 * 1024)).toString("latin1")
}

/** Every value of a field, unfolded. */
const fieldsOf = (text: string, name: string): ReadonlyArray<string> =>
  text
    .replace(/\r?\n[ \t]+/g, " ")
    .split(/\r?\n/)
    .filter((line) => line.slice(0, name.length + 1).toLowerCase() === `${name}:`)
    .map((line) => line.slice(name.length + 1).trim())

/** The reason for the enhanced status code (RFC 3463), without text of the server. */
const reasonOf = (statuses: ReadonlyArray<string>): string => {
  if (statuses.some((status) => status.startsWith("5.1."))) return "The recipient's address does not exist."
  if (statuses.some((status) => status.startsWith("5.2."))) return "The recipient's mailbox does not take the mail."
  return "The mail could not be delivered."
}
