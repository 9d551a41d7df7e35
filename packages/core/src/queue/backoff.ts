/** Exponential backoff in ms by the number of tries so far: `first`, doubled for each further try, at most `max`. */
export const backoff =
  (first: number, max: number) =>
  (tries: number): number =>
    Math.min(first * 2 ** Math.max(0, tries - 1), max)
