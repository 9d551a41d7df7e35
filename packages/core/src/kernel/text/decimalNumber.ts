/**
 * The number of a text in decimal notation, such as `-12.50`, `.5` or `1.2E+05`, as spreadsheets export it; NaN for
 * other texts. `Number` also reads hexadecimal, octal and binary text, and takes empty text for 0.
 */
export const decimalNumber = (text: string): number =>
  /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/i.test(text) ? Number(text) : Number.NaN
