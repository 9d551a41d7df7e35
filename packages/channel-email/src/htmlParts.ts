import type { MimeNode } from "@zone-eu/mailsplit"
import { transferDecoded } from "./transferDecoded.js"

/** Finds the HTML parts of a mail that are alternatives of its text (RFC 2046, 5.1.4). */
export interface HtmlParts {
  /** Records a piece of a text or HTML part, as sent, in the order of the mail. True: HTML whose text came before. */
  readonly record: (part: MimeNode, piece: Uint8Array) => boolean
  /** Whether all HTML so far is an alternative of text, also of text that came after it. */
  readonly areAlternatives: () => boolean
  /** Whether {@link HtmlParts.record} returned true for a piece. */
  readonly hasAlternative: () => boolean
}

/** Takes no HTML for an alternative. */
export const noAlternatives: HtmlParts = {
  record: () => false,
  areAlternatives: () => false,
  hasAlternative: () => false
}

export const htmlParts = (): HtmlParts => {
  /** The `multipart/alternative` parts that have text. */
  const withText = new Set<MimeNode>()
  const html = new Set<MimeNode>()
  let found = false
  const hasText = (part: MimeNode): boolean => alternativesAround(part).some((around) => withText.has(around))
  return {
    record: (part, piece) => {
      if (part.contentType === "text/html") {
        html.add(part)
        const isAlternative = hasText(part)
        found ||= isAlternative
        return isAlternative
      }
      const around = alternativesAround(part)
      if (around.some((one) => !withText.has(one)) && !isBlank(part, piece)) for (const one of around) withText.add(one)
      return false
    },
    areAlternatives: () => [...html].every(hasText),
    hasAlternative: () => found
  }
}

/** The `multipart/alternative` parts that the part is in. */
export const alternativesAround = ({ parentNode }: MimeNode): ReadonlyArray<MimeNode> => {
  if (!parentNode) return []
  const around = alternativesAround(parentNode)
  return parentNode.multipart === "alternative" ? [parentNode, ...around] : around
}

/**
 * Whether a piece has nothing to read: some programs send an empty text beside the HTML. Not of a text in another
 * encoding than UTF-8.
 */
const isBlank = ({ encoding }: MimeNode, piece: Uint8Array): boolean =>
  isBlankText(transferDecoded(encoding, Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)).toString("utf8"))

/** Whether a text has nothing to read: blanks and invisible characters only. */
export const isBlankText = (text: string): boolean => !/[^\s\p{Cf}]/u.test(text.replaceAll("\u034f", ""))
