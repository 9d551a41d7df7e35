import { createHash } from "node:crypto"
import type { SecretBox } from "../../ports/SecretBox.js"
import { matchesSecret } from "../access/Credential.js"

/**
 * What a signed id proves: a report on its message, the wish of its recipient to get no more messages, or an answer to
 * its question.
 */
export type SignedIdPurpose = "report" | "unsubscribe" | "choose"

/** Length of a signed id in characters. */
export const signedIdLength = 42

/**
 * A message id with a signature for one purpose, as 42 characters of base32hex in lower case: 16 bytes of id, 10 of
 * signature. It fits into the local part of an email address (64 characters), and servers that change its case do no
 * harm. Ten bytes are enough: each guess is a mail or a request to us.
 */
export const signedId = ({ sign }: Pick<SecretBox, "sign">, purpose: SignedIdPurpose, messageId: string): string =>
  encoded(messageId, sign(signedText(purpose, messageId)))

/**
 * The message id of a signed id, if it was signed for this purpose under any of the keys; otherwise null. Compares in
 * constant time.
 */
export const verifiedId = (
  { signatures }: Pick<SecretBox, "signatures">,
  purpose: SignedIdPurpose,
  given: string
): string | null => {
  const messageId = idInSignedId(given)
  if (messageId === null) return null
  const candidates = signatures(signedText(purpose, messageId)).map((signature) => encoded(messageId, signature))
  return candidates.some((candidate) => matchesSecret(given.toLowerCase(), candidate)) ? messageId : null
}

/** The message id in a signed id, not verified; null if the text is not a signed id. */
export const idInSignedId = (given: string): string | null => {
  if (!/^[0-9a-v]{42}$/i.test(given)) return null
  let number = 0n
  for (const digit of given) number = number * 32n + BigInt(Number.parseInt(digit, 32))
  const hex = number.toString(16).padStart(52, "0")
  return hex.length > 52 ? null : hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-")
}

/** No other signed text has this prefix. */
const signedText = (purpose: SignedIdPurpose, messageId: string): string => `message ${purpose} ${messageId}`

/** The signature is hashed, because its own encoding is up to the port. */
const encoded = (messageId: string, signature: string): string => {
  const tag = createHash("sha256").update(signature).digest("hex").slice(0, 20)
  return BigInt(`0x${messageId.replaceAll("-", "")}${tag}`)
    .toString(32)
    .padStart(signedIdLength, "0")
}
