import type { Mail } from "./readMail.js"

/**
 * Whether a mail was generated automatically (RFC 3834 and older conventions). Replying to it could cause a loop.
 * `throughList`: whether it came through a list of the business, whose marks say nothing about the writer.
 */
export const isAutomatic = ({ header }: Pick<Mail, "header">, throughList: boolean): boolean => {
  const submitted = header("auto-submitted")
  const precedence = throughList ? /^(junk|auto_reply)\b/i : /^(bulk|junk|list|auto_reply)\b/i
  return (
    (submitted !== null && !/^no\b/i.test(submitted)) ||
    precedence.test(header("precedence") ?? "") ||
    header("return-path") === "<>" ||
    (!throughList && header("list-id") !== null) ||
    marks.some((name) => header(name) !== null)
  )
}

/** Headers that occur in automatic mails only. */
const marks = ["x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-auto-reply-from"]
