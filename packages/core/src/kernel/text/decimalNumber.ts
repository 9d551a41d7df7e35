/**
 * The number of a text in decimal notation, such as `-12.50`, `.5` or `1.2E+05`, as spreadsheets export it; null for
 * other texts and for numbers beyond the range of doubles. `Number` also reads hexadecimal, octal and binary text, and
 * takes empty text for 0.
 */
export const decimalNumber = (text: string): number | null => {
  const isDecimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text)
  return isDecimal && Number.isFinite(Number(text)) ? Number(text) : null
}
