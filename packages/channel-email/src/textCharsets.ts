import type { MimeNode } from "@zone-eu/mailsplit"
import { transferDecoded } from "./transferDecoded.js"

/**
 * Finds the texts of a mail that are not in UTF-8, although their headers say so or name no charset, and those that are
 * not in base64, although their headers say so.
 */
export interface TextCharsets {
  /** Corrects the headers of the next text or HTML part. */
  readonly correct: (part: MimeNode) => void
  /** Records a piece of the part, as sent. */
  readonly record: (part: MimeNode, piece: Uint8Array) => void
  /** The corrections with which to read the mail again; null without wrong headers. */
  readonly corrections: () => TextCharsets | null
}

/** The charset of most of these texts. Each byte is a character in it, so that no byte is lost in any of them. */
const usual = "windows-1252"

interface Wrong {
  readonly charset: boolean
  readonly encoding: boolean
}

/** `wrong`: what is to be corrected of the parts, in their order in the mail. */
export const textCharsets = (wrong: ReadonlyArray<Wrong> = []): TextCharsets => {
  const parts = new Map<MimeNode, Array<Uint8Array>>()
  return {
    correct: (part) => {
      const { charset = false, encoding = false } = wrong[parts.size] ?? {}
      if (charset) part.setCharset(usual)
      if (encoding && part.headers) {
        part.headers.update("Content-Transfer-Encoding", "8bit")
        part.encoding = "8bit"
      }
      parts.set(part, [])
    },
    record: (part, piece) => {
      parts.get(part)?.push(piece)
    },
    corrections: () => {
      const found = [...parts].map(([part, pieces]): Wrong => {
        const sent = Buffer.concat(pieces)
        const encoding = part.encoding === "base64" && !beginsInBase64(sent)
        const text = encoding ? sent : transferDecoded(part.encoding, sent)
        return { encoding, charset: isReadAsUtf8(part) && !isUtf8(text) }
      })
      return found.some(({ charset, encoding }) => charset || encoding) ? textCharsets(found) : null
    }
  }
}

/** Whether the parser reads the part as UTF-8. */
const isReadAsUtf8 = ({ charset }: MimeNode): boolean =>
  !charset || /^(us-?)?ascii$|^utf-?8$|unknown|^(8-?bit|binary|default)$/i.test(charset)

/** Whether the first line can be in base64. Some list servers add unencoded lines at the end. */
const beginsInBase64 = (sent: Buffer): boolean => /^\s*(?:[\w+/=-]+[ \t]*(?:[\r\n]|$)|$)/.test(sent.toString("latin1"))

/** Whether most characters outside of ASCII are UTF-8: single bytes of it may be damaged or cut off. */
const isUtf8 = (bytes: Buffer): boolean => {
  const others = bytes.toString("utf8").match(/[^\0-\x7f]/gu) ?? []
  return others.filter((character) => character === "\ufffd").length * 2 <= others.length
}
