/** A handle without what normalisation changes: white space, punctuation of numbers, case. */
export const plainHandle = (handle: string): string =>
  handle
    .toLowerCase()
    .replace(/[\s().-]/g, "")
    .replace(/^00/, "+")
