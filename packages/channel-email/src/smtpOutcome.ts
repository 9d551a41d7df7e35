import { minute, SendOutcome } from "@parley/core"
import type { NodemailerError } from "nodemailer"
import type { MailNotSent } from "./MailPools.js"
import { tlsProblemOf } from "./tlsProblem.js"

/**
 * The outcome of a failed transfer (RFC 5321, 4.2; RFC 3463). A server that replied with an error has not accepted the
 * mail. Without a reply the outcome is unknown if the whole mail was handed to the connection: a server delivers no
 * mail without its end (RFC 5321, 4.1.1.4).
 */
export const smtpOutcome = ({ complete, error }: Pick<MailNotSent, "error" | "complete">): SendOutcome => {
  const reply = replyOf(error)
  const login = loginOutcome(error)
  if (login !== null) {
    return login.refused
      ? rejected("connection", reply?.code ?? "login", `The mail server ${login.problem}.`)
      : SendOutcome.Transient({ reason: `the mail server ${login.problem}` })
  }
  if (reply === null) return withoutReply(error, complete)
  const { code, permanent, message } = reply
  const ofMail = /^(MAIL FROM|RCPT TO|DATA)$/.test(error.command ?? "")
  if (permanent && ofMail) {
    return isSendingLimit(error.command, reply)
      ? SendOutcome.Throttled({ retryAfterMs: sendingLimitPause, scope: "connection" })
      : rejected(scopeOf(error.command, reply), code, message)
  }
  // A server that refuses the connection, or replies out of order, may do so temporarily.
  if (!throttling.test(message)) return SendOutcome.Transient({ reason: `the mail server answered ${code}` })
  const scope = error.command === "RCPT TO" && !code.startsWith("421") ? "recipient" : "connection"
  return SendOutcome.Throttled({ retryAfterMs: null, scope })
}

/** A reply of the server. */
interface Reply {
  /** With the enhanced code, if there is one: `550 5.1.1`. */
  readonly code: string
  readonly enhanced: string | null
  readonly permanent: boolean
  /** Without the codes, on one line. */
  readonly message: string
}

const replyOf = ({ permanent = false, response, responseCode }: NodemailerError): Reply | null => {
  if (responseCode === undefined || responseCode < 400) return null
  const lines = (response ?? "").split(/\r?\n/).map((line) => line.replace(/^\d{3}[ -]?/, ""))
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}\b/.exec(lines[0] ?? "")?.[0] ?? null
  const message = lines.map((line) => line.replace(enhanced ?? "", "").trim()).join(" ")
  return {
    code: enhanced === null ? `${responseCode}` : `${responseCode} ${enhanced}`,
    enhanced,
    permanent,
    message: message
      .replace(/\p{Cc}/gu, " ")
      .trim()
      .slice(0, 500)
  }
}

/** The problem of a login, to follow the words "the mail server"; null if the error is about something else. */
export const loginOutcome = (
  error: NodemailerError
): { readonly refused: boolean; readonly problem: string } | null => {
  const reply = replyOf(error)
  if (!isLogin(error, reply)) return null
  // An answer in no form of a reply does not say that the login is wrong.
  if (reply === null && error.response !== undefined) return { refused: false, problem: `${noReply} to the login` }
  return reply !== null && !reply.permanent
    ? { refused: false, problem: `cannot check logins now: ${reply.code}` }
    : { refused: true, problem: "does not take the user name and password" }
}

/** The server required a login, or refused one (RFC 4954, 6). */
const isLogin = ({ code }: NodemailerError, reply: Reply | null): boolean =>
  code === "EAUTH" ||
  code === "ENOAUTH" ||
  /^(530|534|535|538)\b/.test(reply?.code ?? "") ||
  reply?.enhanced === "5.7.8" ||
  reply?.enhanced === "5.7.9"

/** There is no code for throttling: servers report it in the text of the reply. */
const throttling =
  /throttl|\brate\b|\btoo (many|much|fast|quickly)\b|slow down|limit (was |is )?(exceeded|reached)|exceeded .*limit/i

/** Pause in ms after the limit of a day or an hour was reached. */
const sendingLimitPause = 15 * minute

/**
 * Whether the sender has reached a limit of mails, by 5.4.5 or by the text. Not a limit of one mail, such as of its
 * size, which would hold up all others.
 */
const isSendingLimit = (command: string | undefined, { code, enhanced, message }: Reply): boolean =>
  enhanced === "5.4.5" ||
  (command !== "RCPT TO" &&
    !code.startsWith("552") &&
    !/^5\.(2\.[1-4]|3\.4)$/.test(enhanced ?? "") &&
    sendingLimit.test(message) &&
    !limitOfMail.test(message))

const limitOfMail = /\b(size|large|big|bytes|attachment)/i

const sendingLimit =
  /throttl|\brate.?limit|\b(daily|hourly|sending|submission)\b.*\b(limit|quota)s?\b|\b(limit|quota)\b.*\b(day|hour)\b|\bper (day|hour|minute)\b|SubmissionQuota/i

/** The scope of a permanent refusal. */
const scopeOf = (command: string | undefined, { code, enhanced }: Reply): Rejected["scope"] => {
  if (enhanced === "5.2.3" || enhanced === "5.3.4") return "message"
  if (enhanced === "5.1.7" || enhanced === "5.1.8") return "connection"
  if (enhanced?.startsWith("5.1.") || enhanced?.startsWith("5.2.") || command === "RCPT TO") return "recipient"
  // The size is announced with this command. Other refusals of it are about the sender.
  return command === "MAIL FROM" && !code.startsWith("552") ? "connection" : "message"
}

type Rejected = Extract<SendOutcome, { readonly _tag: "Rejected" }>

/** Nodemailer's own refusals, before it contacts the server. */
const refusals: { readonly [code: string]: string } = {
  EENVELOPE: "The mail server has no way to take this address.",
  EMESSAGE: "The mail is larger than the mail server takes."
}

const noReply = "gave an answer that is no reply of SMTP"

const withoutReply = ({ code = "", originalCode, response }: NodemailerError, complete: boolean): SendOutcome => {
  const refusal = refusals[code]
  // An answer that is no reply has the same codes.
  if (refusal !== undefined && response === undefined && !complete) return rejected("message", code, refusal)
  const reason = `the mail server ${response === undefined ? silence(originalCode ?? code) : noReply}`
  return complete ? SendOutcome.Unknown({ reason }) : SendOutcome.Transient({ reason })
}

const silence = (code: string): string =>
  tlsProblemOf(code) ?? (code === "" ? "gave no answer" : `gave no answer: ${code}`)

const rejected = (scope: Rejected["scope"], providerCode: string, providerMessage: string): SendOutcome =>
  SendOutcome.Rejected({ scope, code: "provider_error", providerCode, providerMessage })
