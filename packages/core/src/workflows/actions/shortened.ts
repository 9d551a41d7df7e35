/** Text of at most so many characters (UTF-16 units): what is longer ends in `…`, and no character is cut in half. */
export const shortened = (text: string, most: number): string =>
  text.length <= most ? text : `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/, "")}…`
