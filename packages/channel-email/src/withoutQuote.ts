/**
 * A customer's reply without the quoted mail of the business: the last lines that begin with `>`, and the line before
 * them if it contains a name of the business and a date and ends in a colon. All other text stays: replies between
 * quoted lines, older mails without quote marks, and other formats. Only for replies to a mail of the business.
 *
 * `names`: the names of the business in such a line, including its address.
 */
export const withoutQuote = (text: string, names: ReadonlyArray<string>): string => {
  const lines = text.trimEnd().split("\n")
  const first = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "") + 1
  if (!lines.slice(first).some((line) => line.startsWith(">"))) return text
  const message = withoutIntroduction(lines.slice(0, first), names).join("\n").trimEnd()
  return message === "" ? text : message
}

/** Long introduction lines are wrapped. */
const withoutIntroduction = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isIntroduction = (line = ""): boolean =>
    /\d/.test(line) && names.some((name) => line.toLowerCase().includes(name.toLowerCase()))
  const last = lines.at(-1)?.trim() ?? ""
  if (!last.endsWith(":")) return lines
  if (isIntroduction(last)) return lines.slice(0, -1)
  const before = lines.at(-2)?.trimEnd() ?? ""
  // Gmail breaks the line after the `<` of the address.
  if (before.endsWith("<") && /^[^\s<>]+> /.test(last) && isIntroduction(before + last)) return lines.slice(0, -2)
  return !last.includes(" ") && isIntroduction(lines.at(-2)) ? lines.slice(0, -2) : lines
}
