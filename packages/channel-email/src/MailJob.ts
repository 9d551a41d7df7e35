import type { Instant, PastMessage } from "@parley/core"
import type { Business } from "./EmailAccount.js"

/** A mail to parse. */
export interface MailJob {
  readonly business: Business
  readonly raw: Uint8Array
  readonly now: Instant
  /** When the server of the mailbox received it. Default: not known, as of a mail that comes by webhook. */
  readonly receivedAt?: Instant
  /** Whether {@link raw} is the beginning of a mail that is too long. Default: false. */
  readonly isCut?: boolean
  /** Of a mail that is imported. */
  readonly past?: PastMail
}

/** What the mailbox says of a mail that is imported. */
export interface PastMail {
  /** `outbound`: it is in the folder of sent mail, where only the business puts mails. */
  readonly direction: PastMessage["direction"]
  /** When the server received it. */
  readonly at: Instant
}
