import { InboundEvent as Event, type InboundEvent, type Instant, isUuid, type Receipt } from "@parley/core"
import { mailIdOf, ownMessageId } from "./mailId.js"
import type { Mail } from "./readMail.js"

/** Whether the mail is an automatic report about another mail. Such a mail is never a customer's message. */
export const isReport = ({ from, header, files }: Mail): boolean =>
  /^multipart\/report\b/i.test(header("content-type") ?? "") ||
  files.some(({ contentType }) => contentType === "message/delivery-status") ||
  /^(mailer-daemon|postmaster)@/i.test(from?.address ?? "")

/**
 * The receipt in a delivery report (RFC 3464) about a mail sent from this address. Null for another mail, and for a
 * report of neither failure nor delivery.
 */
export const receiptIn = (report: Mail, address: string, now: Instant): InboundEvent | null => {
  const status = fileOf(report, "message/delivery-status")
  const messageId = status === null ? null : reportedMessage(report, status, address)
  if (status === null || messageId === null) return null
  const actions = fieldsOf(status, "action").map((action) => action.toLowerCase())
  const reached = actions.includes("failed") ? "failed" : actions.includes("delivered") ? "delivered" : null
  if (reached === null) return null
  const receipt: Receipt = {
    status: reached,
    at: Math.min(report.date ?? now, now),
    error: reached === "failed" ? { code: "provider_error", message: reasonOf(fieldsOf(status, "status")) } : null
  }
  return Event.Receipt({ providerMessageId: mailIdOf(messageId, address), messageId, receipt })
}

/** The message id, from the returned mail or else from the envelope id with which it was sent. */
const reportedMessage = (report: Mail, status: string, address: string): string | null => {
  const returned = fileOf(report, "text/rfc822-headers") ?? fileOf(report, "message/rfc822") ?? ""
  const own = ownMessageId(fieldsOf(returned, "message-id")[0] ?? "", address)
  const [envelopeId = ""] = fieldsOf(status, "original-envelope-id")
  return own ?? (isUuid(envelopeId) ? envelopeId.toLowerCase() : null)
}

/** The headers of the returned mail suffice. */
const fileOf = ({ files }: Mail, type: string): string | null => {
  const file = files.find(({ contentType }) => contentType === type)
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
