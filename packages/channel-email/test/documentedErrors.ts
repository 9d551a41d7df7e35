import type { ExpectedOutcome } from "@parley/testkit"
import type { Stage } from "./SmtpVendor.js"

/** An error of mail servers (RFC 5321, 4.2.3; RFC 4954, 6; RFC 3463), and what it means. */
export interface DocumentedReply {
  readonly name: string
  readonly stage: Stage
  readonly reply: string
  readonly outcome: ExpectedOutcome
}

const rejected = (
  scope: "message" | "recipient" | "connection",
  name: string,
  stage: Stage,
  reply: string
): DocumentedReply => {
  const providerCode = /^\d{3}( \d\.\d+\.\d+)?/.exec(reply)?.[0] ?? ""
  return { name, stage, reply, outcome: { _tag: "Rejected", scope, code: "provider_error", providerCode } }
}

const transient = (name: string, stage: Stage, reply: string): DocumentedReply => ({
  name,
  stage,
  reply,
  outcome: { _tag: "Transient" }
})

/** A limit of the sender's mails in a day or an hour. */
const sendingLimit = (name: string, stage: Stage, reply: string): DocumentedReply => ({
  name,
  stage,
  reply,
  outcome: { _tag: "Throttled", scope: "connection", retryAfterMs: 900_000 }
})

export const documentedErrors: ReadonlyArray<DocumentedReply> = [
  rejected("connection", "a wrong login", "auth", "535 5.7.8 Bad credentials"),
  transient("a login that cannot be checked", "auth", "454 4.7.0 Temporary authentication failure"),
  rejected("connection", "a login that is missing", "mail", "530 5.7.0 Authentication required"),
  rejected("connection", "a sender who may not", "mail", "550 5.7.60 Not allowed to send as this"),
  rejected("connection", "a sender who is not known", "data", "550 5.1.8 Sender rejected"),
  rejected("recipient", "a mailbox that does not exist", "rcpt", "550 5.1.1 No such user"),
  rejected("recipient", "a refusal without an enhanced code", "rcpt", "550 No such user here"),
  rejected("recipient", "a full mailbox", "data", "552 5.2.2 Mailbox full"),
  rejected("message", "a mail that is too large", "mail", "552 5.3.4 Too big"),
  rejected("message", "a mail that is too large for a mailbox", "rcpt", "552 5.2.3 Too big"),
  rejected("message", "a mail that looks like spam", "data", "554 5.7.1 Looks like spam"),
  rejected("message", "lines that are too long", "data", "550 5.6.0 Line length limit exceeded"),
  rejected("message", "a mail above the size for sending", "data", "554 Message exceeds the sending size limit"),
  rejected("message", "a mail that goes round in circles", "data", "554 5.4.6 Too many hops"),
  rejected("recipient", "a mailbox with a limit", "data", "550 5.2.1 Hourly receiving limit exceeded"),
  sendingLimit("the daily limit of Gmail", "data", "550 5.4.5 Daily user sending limit exceeded."),
  sendingLimit("the daily limit of Gmail, of a recipient", "rcpt", "550 5.4.5 Daily SMTP relay limit exceeded"),
  sendingLimit("the daily limit of Office 365", "data", "550 5.1.90 You've reached your daily limit for recipients"),
  sendingLimit("the quota of Exchange", "data", "554 5.2.0 STOREDRV; SubmissionQuotaExceededException"),
  sendingLimit("the hourly limit of a web host", "mail", "550 bakery.example has exceeded the max emails per hour"),
  transient("greylisting", "rcpt", "451 4.7.1 Try again later"),
  transient("a mailbox that is full for now", "rcpt", "452 4.2.2 Over quota"),
  transient("a server that has a problem", "data", "451 4.3.0 Local error"),
  transient("a server that shuts down", "mail", "421 4.3.2 Shutting down"),
  transient("a command out of order", "data", "503 5.5.1 Bad sequence of commands"),
  {
    name: "too much for one mailbox",
    stage: "rcpt",
    reply: "450 4.2.1 Receiving mail too quickly",
    outcome: { _tag: "Throttled", scope: "recipient", retryAfterMs: null }
  }
]
