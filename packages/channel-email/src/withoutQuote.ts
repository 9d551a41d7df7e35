import { dividers, type Header, labels, opening, wrote } from "./mailProgramPhrases.js"

/** Characters of a line that are read: longer lines introduce nothing, and patterns take the square of this at most. */
const maxRead = 300

/** Lines of the block of headers over a quoted mail, the wrapped ones included. */
const maxHeaders = 16

/** Lines that introduce a quoted mail. */
const maxIntroduction = 3

/**
 * A customer's reply without the quoted mails, in the forms of mail programs (docs/reference/email.md#new-text):
 *
 * - the last lines that begin with `>`, with the lines that introduce them;
 * - the same at the beginning, if an introduction precedes them and all lines with `>` stand together;
 * - a block of headers (`From:`, `Sent:`, `Subject:`), or a line such as `-----Original Message-----`, with all that
 *   follows.
 *
 * Replies between quoted lines stay with the quote. A text that is nothing but a quote stays too. Each line is read a
 * bounded number of times, up to a bounded length.
 *
 * `names`: the names of the business, including its address, by which an introduction of its mail is recognised.
 */
export const withoutQuote = (text: string, names: ReadonlyArray<string>): string => {
  const lines = text.trimEnd().split("\n")
  const unmarked = lines.slice(0, startOfUnmarked(lines))
  const message = withoutTrailing(withoutLeading(unmarked, names), names).join("\n").trimEnd()
  return message.trim() === "" ? text : message
}

/** The line at which a quoted mail without `>` begins. The length for a text without one. */
const startOfUnmarked = (lines: ReadonlyArray<string>): number => {
  const headers = lines.map(headerOf)
  const start = lines.findIndex((line, at) => isDivider(line) || (headers[at] === "from" && isBlock(headers, at)))
  if (start === -1) return lines.length
  // Outlook has a rule above the block.
  const before = lines.findLastIndex((line, at) => at < start && line.trim() !== "" && !isRule(line))
  return before + 1
}

/** A line of `_` or `-` only. HTML rules are converted to one, too. */
const isRule = (line: string): boolean => {
  const read = plain(line)
  return read.length >= 5 && read.length < maxRead && (/^_+$/.test(read) || /^-+$/.test(read))
}

const isDivider = (line: string): boolean => {
  const read = plain(line)
  if (!read.startsWith("--") || !read.endsWith("--") || read.length === maxRead) return false
  return dividers.has(read.replaceAll("-", "").replaceAll("’", "'").trim().toLowerCase())
}

/** Whether the lines from here up to an empty one have a time and a subject. */
const isBlock = (headers: ReadonlyArray<Header | undefined>, at: number): boolean => {
  const lines = headers.slice(at, at + maxHeaders)
  const block = lines.includes("end") ? lines.slice(0, lines.indexOf("end")) : lines
  return block.includes("sent") && block.includes("subject")
}

/** What a line such as `*From:* Ada` is in a block of headers. */
const headerOf = (line: string): Header | undefined => {
  const read = plain(line)
  if (read === "") return "end"
  const colon = read.indexOf(":")
  return colon === -1 ? undefined : labels.get(read.slice(0, colon).replaceAll("*", "").trim().toLowerCase())
}

const withoutTrailing = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const first = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "") + 1
  if (!lines.slice(first).some((line) => line.startsWith(">"))) return lines
  return lines.slice(0, first - introductionLength(lines.slice(0, first), names))
}

/** The lines after the quote that begins the text; all lines if it is not introduced or goes on below. */
const withoutLeading = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const quote = lines.findIndex((line) => line.startsWith(">"))
  if (quote === -1) return lines
  const introduction = lines.slice(0, quote).filter((line) => line.trim() !== "")
  if (introduction.length === 0 || introductionLength(introduction, names) !== introduction.length) return lines
  const length = lines.slice(quote).findIndex((line) => !line.startsWith(">") && line.trim() !== "")
  const answer = length === -1 ? [] : lines.slice(quote + length)
  return answer.length === 0 || answer.some((line) => line.startsWith(">")) ? lines : answer
}

/** How many of the last lines introduce a quoted mail, such as `On Monday, Ada wrote:`. Programs wrap long ones. */
const introductionLength = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): number => {
  const last = lines.slice(-maxIntroduction).map(plain)
  for (let length = 1; length <= last.length; length += 1) {
    const read = last.slice(-length).join(" ")
    if (length === 1 ? introducesUs(read, names) || introduces(read) : introduces(read)) return length
  }
  return 0
}

/** Whether the line has a name of the business and a date, in any language. */
const introducesUs = (read: string, names: ReadonlyArray<string>): boolean =>
  read.endsWith(":") && /\d/.test(read) && names.some((name) => read.toLowerCase().includes(name.toLowerCase()))

const introduces = (read: string): boolean =>
  read.endsWith(":") && opening.test(read) && wrote.test(read) && /\d:\d\d|\d[./-]\d|\b20\d\d\b/.test(read)

/** The part of a line that is read, with usual spaces. */
const plain = (line: string): string =>
  line
    .slice(0, maxRead)
    .replace(/[\u00a0\u202f]/g, " ")
    .trim()
