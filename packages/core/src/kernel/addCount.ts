/** Adds to the count of a key. A count of zero has no entry, so that the map does not grow with keys of the past. */
export const addCount = (counts: Map<string, number>, key: string, by: 1 | -1): void => {
  const count = (counts.get(key) ?? 0) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}
