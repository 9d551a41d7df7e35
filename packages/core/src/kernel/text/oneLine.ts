/**
 * Joins the lines of a text by blanks, for an email's subject. Trims line by line: a regular expression for white space
 * around line breaks takes quadratic time on a placeholder value of a million blanks.
 */
export const oneLine = (text: string): string =>
  text
    .split(/[\r\n]+/)
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .join(" ")
