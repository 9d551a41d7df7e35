import { addedBy, program } from "./mailProgramPhrases.js"

/** Lines of a signature. More, and the delimiter may be a divider of the text. */
const maxLines = 20

/** Added lines: of the phone, of the program. */
const maxAdded = 2

/** Length of the line that a program or phone adds. */
const maxLine = 120

/**
 * A text without the signature under it: the lines after `-- ` (RFC 3676, 4.3), and lines of programs and phones such
 * as `Sent from my iPhone` (docs/reference/email.md#new-text). A text that is nothing but a signature stays.
 */
export const withoutSignature = (text: string): string => {
  const lines = text.trimEnd().split("\n")
  const from = Math.max(0, lines.length - maxLines - 1)
  const delimiter = lines.findIndex((line, at) => at >= from && /^-- ?\r?$/.test(line))
  let end = delimiter === -1 ? lines.length : delimiter
  for (let count = 0; count < maxAdded; count += 1) {
    const last = lines.findLastIndex((line, at) => at < end && line.trim() !== "")
    if (last < 1 || lines[last - 1]?.trim() !== "" || !isAdded(lines[last] ?? "")) break
    end = last
  }
  const message = lines.slice(0, end).join("\n").trimEnd()
  return end === lines.length || message.trim() === "" ? text : message
}

const isAdded = (line: string): boolean => {
  const read = line.trim()
  return read.length <= maxLine && addedBy.test(read) && program.test(read) && !/[?!,;]/.test(read)
}
