/** Truncates text to `most` UTF-16 units, ending in `…`. Does not split a surrogate pair. */
export const truncate = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
