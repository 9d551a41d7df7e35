/** Truncates text to `max` UTF-16 units, ending in `…`. Does not split a surrogate pair. */
export const truncate = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
