/**
 * A customer's answer without our own mail, which their program put under it: lines that begin with `>`, up to the end of
 * the text, and the line before them where it names us, has a date and ends in a colon. Anything else stays: answers in
 * between, an older mail that is not marked, whatever another program makes of it. Only for an answer to a mail of ours.
 *
 * `names`: by which such a line names us, our address among them.
 */
export const withoutQuote = (text: string, names: ReadonlyArray<string>): string => {
  const lines = text.trimEnd().split("\n")
  const first = lines.findLastIndex((line) => !line.startsWith(">") && line.trim() !== "") + 1
  if (!lines.slice(first).some((line) => line.startsWith(">"))) return text
  const words = withoutIntroduction(lines.slice(0, first), names).join("\n").trimEnd()
  return words === "" ? text : words
}

/** Long ones are broken before their last word. */
const withoutIntroduction = (lines: ReadonlyArray<string>, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const isIntroduction = (line = ""): boolean =>
    /\d/.test(line) && names.some((name) => line.toLowerCase().includes(name.toLowerCase()))
  const last = lines.at(-1)?.trim() ?? ""
  if (!last.endsWith(":")) return lines
  if (isIntroduction(last)) return lines.slice(0, -1)
  return !last.includes(" ") && isIntroduction(lines.at(-2)) ? lines.slice(0, -2) : lines
}
