/**
 * How values stand in the cells of a CSV file, so that what is exported can be imported again and opened in a spreadsheet
 * without harm (docs/contacts.md).
 */

/** A spreadsheet takes a cell that begins so for a formula; a plain number with its sign is none. */
const formula = /^[=+\-@\t\r]/
const plainNumber = /^[+-]?\d+(\.\d+)?$/

/** The text of a cell; an apostrophe before what would be a formula. */
export const cellOf = (value: unknown): string => {
  if (value === null || value === undefined) return ""
  const text = String(value)
  return formula.test(text.replace(/^'+/, "")) && !plainNumber.test(text) ? `'${text}` : text
}

/** What a cell says: without the apostrophe of {@link cellOf}. */
export const textOf = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.replace(/^'+/, "")) ? cell.slice(1) : cell

/** Several texts in one, separated by semicolons; one that is part of a text has a backslash before it. */
export const joined = (texts: ReadonlyArray<string>): string =>
  texts.map((text) => text.replaceAll("\\", "\\\\").replaceAll(";", "\\;")).join(";")

/** The texts of {@link joined}, without white space around them; empty ones are none. */
export const separated = (text: string): ReadonlyArray<string> =>
  [...text.matchAll(/(?:\\[\\;]|[^;])+/g)]
    .map(([part]) => part.replace(/\\([\\;])/g, "$1").trim())
    .filter((part) => part !== "")
