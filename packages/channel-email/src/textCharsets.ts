import type { MimeNode } from "@zone-eu/mailsplit"
import { transferDecoded } from "./transferDecoded.js"

/** Finds the texts of a mail that are not in UTF-8, although their headers say so or name no charset. */
export interface TextCharsets {
  /** Corrects the charset in the headers of the next text or HTML part. */
  readonly correct: (part: MimeNode) => void
  /** Records a piece of the part, as sent. */
  readonly record: (part: MimeNode, piece: Uint8Array) => void
  /** The corrections with which to read the mail again; null without wrong charsets. */
  readonly corrections: () => TextCharsets | null
}

/** The charset of most of these texts. Each byte is a character in it, so that no byte is lost in any of them. */
const usual = "windows-1252"

/** `wrong`: the parts whose charset is to be corrected, by their order in the mail. */
export const textCharsets = (wrong: ReadonlySet<number> = new Set()): TextCharsets => {
  const parts = new Map<MimeNode, Array<Uint8Array>>()
  return {
    correct: (part) => {
      if (wrong.has(parts.size)) part.setCharset(usual)
      parts.set(part, [])
    },
    record: (part, piece) => {
      parts.get(part)?.push(piece)
    },
    corrections: () => {
      const found = [...parts].flatMap(([part, pieces], place) =>
        isReadAsUtf8(part) && !isUtf8(transferDecoded(part.encoding, Buffer.concat(pieces))) ? [place] : []
      )
      return found.length === 0 ? null : textCharsets(new Set(found))
    }
  }
}

/** Whether the parser reads the part as UTF-8. */
const isReadAsUtf8 = ({ charset }: MimeNode): boolean =>
  !charset || /^(us-?)?ascii$|^utf-?8$|unknown|^(8-?bit|binary|default)$/i.test(charset)

/** Whether most characters outside of ASCII are UTF-8: single bytes of it may be damaged or cut off. */
const isUtf8 = (bytes: Buffer): boolean => {
  const others = bytes.toString("utf8").match(/[^\0-\x7f]/gu) ?? []
  return others.filter((character) => character === "\ufffd").length * 2 <= others.length
}
