/** The pause before the next of several tries, in ms, by how many there were: `first`, then doubling, at most `most`. */
export const backoff =
  (first: number, most: number) =>
  (tries: number): number =>
    Math.min(first * 2 ** Math.max(0, tries - 1), most)
