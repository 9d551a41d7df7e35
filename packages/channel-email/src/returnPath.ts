import type { Mail } from "./readMail.js"

/** The place of the signed id in `return_path`. */
const place = "*"

/** The envelope sender of a mail: `return_path` with the signed id of the message in its place. */
export const returnPathOf = (returnPath: string, signedId: string): string => returnPath.replace(place, signedId)

/** Headers in which mail servers keep the address to which a mail was sent. */
const recipientHeaders = ["to", "delivered-to", "x-original-to", "envelope-to", "x-envelope-to"]

/** The signed id in the address to which a report was sent, in lower case; null if it was sent elsewhere. */
export const signedIdOf = ({ headers }: Pick<Mail, "headers">, returnPath: string): string | null => {
  const [before = "", after = ""] = returnPath.toLowerCase().split(place)
  for (const text of recipientHeaders.flatMap(headers)) {
    for (const [word] of text.toLowerCase().matchAll(/[^\s<>,;:"()]+/g)) {
      const id = word.slice(before.length, word.length - after.length)
      if (word.startsWith(before) && word.endsWith(after) && /^[0-9a-v]{42}$/.test(id)) return id
    }
  }
  return null
}
