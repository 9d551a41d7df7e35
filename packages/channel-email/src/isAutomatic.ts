import type { Mail } from "./readMail.js"

/** Whether a machine wrote a mail (RFC 3834, and what came before it): an answer to it could go on for ever. */
export const isAutomatic = ({ header }: Pick<Mail, "header">): boolean => {
  const submitted = header("auto-submitted")
  return (
    (submitted !== null && !/^no\b/i.test(submitted)) ||
    /^(bulk|junk|list|auto_reply)\b/i.test(header("precedence") ?? "") ||
    header("return-path") === "<>" ||
    marks.some((name) => header(name) !== null)
  )
}

/** Headers that only such mails have. */
const marks = ["list-id", "x-auto-response-suppress", "x-autoreply", "x-autorespond", "x-auto-reply-from"]
