import type { Mail } from "./readMail.js"

/** Whether a mail was generated automatically (RFC 3834 and older conventions). Replying to it could cause a loop. */
export const isAutomatic = ({ header }: Pick<Mail, "header">): boolean => {
  const submitted = header("auto-submitted")
  return (
    (submitted !== null && !/^no\b/i.test(submitted)) ||
    /^(bulk|junk|list|auto_reply)\b/i.test(header("precedence") ?? "") ||
    header("return-path") === "<>" ||
    marks.some((name) => header(name) !== null)
  )
}

/** Headers that occur in automatic mails only. */
const marks = ["list-id", "x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-auto-reply-from"]
