import type { MimeNode } from "@zone-eu/mailsplit"

/** Finds the HTML parts of a mail that are alternatives of its text (RFC 2046, 5.1.4). */
export interface HtmlParts {
  /** Takes a piece of a text or HTML part, as sent, in the order of the mail. True: HTML whose text came before. */
  readonly isAlternative: (part: MimeNode, piece: Uint8Array) => boolean
  /** Whether all HTML so far is an alternative of text, also of text that came after it. */
  readonly areAlternatives: () => boolean
}

export const htmlParts = (): HtmlParts => {
  /** The `multipart/alternative` parts that have text. */
  const withText = new Set<MimeNode>()
  const html = new Set<MimeNode>()
  const hasText = (part: MimeNode): boolean => alternativesAround(part).some((around) => withText.has(around))
  return {
    isAlternative: (part, piece) => {
      if (part.contentType === "text/html") {
        html.add(part)
        return hasText(part)
      }
      const around = alternativesAround(part)
      if (around.some((one) => !withText.has(one)) && !isBlank(part, piece)) for (const one of around) withText.add(one)
      return false
    },
    areAlternatives: () => [...html].every(hasText)
  }
}

const alternativesAround = ({ parentNode }: MimeNode): ReadonlyArray<MimeNode> => {
  if (!parentNode) return []
  const around = alternativesAround(parentNode)
  return parentNode.multipart === "alternative" ? [parentNode, ...around] : around
}

/** White space, and the bytes of a no-break space in UTF-8. */
const blank: ReadonlySet<number> = new Set([0x00, 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x20, 0xa0, 0xc2])

/** Whether a piece has nothing to read: some programs send an empty text beside the HTML. */
const isBlank = ({ encoding }: MimeNode, piece: Uint8Array): boolean => {
  const sent = Buffer.from(piece.buffer, piece.byteOffset, piece.byteLength)
  return decoded(encoding, sent).every((byte) => blank.has(byte))
}

const decoded = (encoding: MimeNode["encoding"], sent: Buffer): Uint8Array => {
  if (encoding === "base64") return Buffer.from(sent.toString("latin1"), "base64")
  if (encoding !== "quoted-printable") return sent
  const text = sent.toString("latin1").replace(/=[ \t]*\r?\n/g, "")
  return Buffer.from(
    text.replace(/=([\da-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    "latin1"
  )
}
