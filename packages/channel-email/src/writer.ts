import { normaliseHandle } from "@parley/core"
import { Either } from "effect"
import type { MailAddress } from "./addresses.js"
import { isProven } from "./authentication.js"
import type { Business } from "./EmailAccount.js"
import type { Mail } from "./readMail.js"

/** Who wrote a mail. */
export interface Writer extends MailAddress {
  /** False if the mail only says so: no server checked it, where the connection names one. */
  readonly isProven: boolean
}

/**
 * The writer of a mail: its sender; of a list that the connection names, which writes its own address into `From`, the
 * author in `X-Original-From`; of a contact form that it names, `Reply-To` (docs/reference/email.md#lists-and-forms).
 */
export const writerOf = (business: Business, mail: Mail): Writer | null => {
  const { from, originalFrom, replyTo } = mail
  if (from === null) return null
  const { authserv_id, forms = [], lists = [] } = business.config
  const named = isOneOf(lists, from.address) ? originalFrom : null
  const isForm = isOneOf(forms, from.address) && replyTo !== null && !isOwn(business, replyTo.address)
  const written = named ?? (isForm ? replyTo : null)
  if (written === null) return { ...from, isProven: isProven(business, mail) }
  // The server checked the list or form.
  return { ...written, isProven: authserv_id === undefined }
}

/** Whether a mail came through a list that the connection names. */
export const isThroughList = ({ config: { lists = [] } }: Business, mail: Mail): boolean =>
  mail.recipients.some(({ address }) => isOneOf(lists, address)) ||
  (mail.originalFrom !== null && mail.from !== null && isOneOf(lists, mail.from.address))

/** Whether an address is the business's. */
export const isOwn = ({ address, config: { reply_to } }: Business, from: string): boolean =>
  isOneOf(reply_to === undefined ? [address] : [address, reply_to], from)

/** Whether the address is one of these, in whatever spelling. */
const isOneOf = (addresses: ReadonlyArray<string>, address: string): boolean => {
  const known = normalised(address)
  return addresses.some((one) => normalised(one) === known)
}

const normalised = (address: string): string =>
  Either.getOrElse(normaliseHandle("email", address), () => address.trim().toLowerCase())
