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
