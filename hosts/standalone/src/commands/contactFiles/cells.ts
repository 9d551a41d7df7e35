/**
 * The encoding of values in CSV cells, so that an export can be imported and opened in a spreadsheet safely
 * (docs/contacts.md).
 */

/** A spreadsheet evaluates a cell that begins with one of these as a formula, except a plain number with its sign. */
const formula = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

/** The text of a cell, with an apostrophe before text that a spreadsheet would evaluate. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = String(value)
  return formula.test(text.replace(/^'+/, "")) && !plainNumber.test(text) ? `'${text}` : text
}

/** The value of a cell: without the apostrophe of {@link cellOf}. */
export const textOf = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.replace(/^'+/, "")) ? cell.slice(1) : cell

/** Several texts in one, separated by semicolons; a backslash escapes a semicolon within a text. */
export const joined = (texts: ReadonlyArray<string>): string =>
  texts.map((text) => text.replaceAll("\\", "\\\\").replaceAll(";", "\\;")).join(";")

/** The texts of {@link joined}, without surrounding white space and without empty ones. */
export const separated = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:\\[\\;]|[^;])+/g)]
    .map(([part]) => part.replace(/\\([\\;])/g, "$1").trim())
    .filter((part) => part !== "")
