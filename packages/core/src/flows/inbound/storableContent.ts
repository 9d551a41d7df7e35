import { storableText } from "../../kernel/text/storableText.js"
import type { MailAddresses, Referral } from "../../model/Message.js"
import type { MessageContent } from "../../model/MessageContent.js"

/** Maximum size of stored content, in UTF-16 units of its JSON. */
const maxContentLength = 65_536

/** Limits within content: characters of a text, items of a list or object, levels. */
const max = { text: 4_096, items: 200, depth: 8 } as const

/**
 * Makes a vendor's content storable: cuts texts and lists that are too long, and removes characters that databases
 * refuse. Content that is still too large becomes `unsupported`, so that the message is stored with its readable text.
 */
export const storableContent = (content: MessageContent): MessageContent => {
  const storable = storableValue(content, 0) as MessageContent
  return JSON.stringify(storable).length <= maxContentLength
    ? storable
    : { type: "unsupported", kind: `${content.type} of more than ${maxContentLength} characters` }
}

export const storableReferral = (referral: Referral): Referral => storableValue(referral, 0) as Referral

export const storableMail = (mail: MailAddresses): MailAddresses => storableValue(mail, 0) as MailAddresses

const storableValue = (value: unknown, depth: number): unknown => {
  if (typeof value === "string") return storableText(value, max.text)
  if (typeof value !== "object" || value === null) return value ?? null
  if (depth === max.depth) return null
  if (Array.isArray(value)) return value.slice(0, max.items).map((item) => storableValue(item, depth + 1))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== undefined)
      .slice(0, max.items)
      .map(([key, item]) => [storableText(key, max.text), storableValue(item, depth + 1)])
  )
}
