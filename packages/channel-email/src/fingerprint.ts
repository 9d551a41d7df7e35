import { createHash } from "node:crypto"
import type { Mail } from "./readMail.js"

/** What a message says beside the mail itself. */
interface Findings {
  readonly from: string
  readonly automatic: boolean
  readonly senderProven: boolean
}

/**
 * A hash of everything that a message takes from its mail. Anyone can write a mail with the `Message-ID` of another
 * mail: mails with equal hashes make equal messages, so that dropping one of them loses nothing. Headers that change
 * between two deliveries, such as `Received`, do not count (docs/reference/email.md#identity-of-a-mail).
 */
export const fingerprint = (mail: Mail, { automatic, from, senderProven }: Findings): string => {
  const { addresses, answers, files, subject, text } = mail
  const hash = createHash("sha256")
  const described = files.map(({ bytes, contentType, fileName }) => [contentType, fileName, bytes.length])
  const { cc, from: author, replyTo, to } = addresses
  const said = [from, senderProven, automatic, author, to, cc, replyTo, subject, mail.header("date"), answers, text]
  hash.update(JSON.stringify([...said, described]))
  for (const { bytes } of files) hash.update(bytes)
  return `sha256:${hash.digest("hex")}`
}
