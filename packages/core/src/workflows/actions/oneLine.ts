/**
 * Text of several lines as one, such as an email's subject has to be. Line by line, since what stood for a placeholder may be a
 * million blanks, which an expression for the white space around a line break looks through again from each of them.
 */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
