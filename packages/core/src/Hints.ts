/**
 * What was true a moment ago, in a bounded map: it lets a read ask at once for what another read would have to find first.
 * It is never believed: whoever uses a hint checks it against what was read with it.
 */
export interface Hints<Value> {
  readonly get: (key: string) => Value | undefined
  readonly set: (key: string, value: Value) => void
  readonly forget: (key: string) => void
}

/** Hints that keep the latest `most` entries. */
export const makeHints = <Value>(most = 10_000): Hints<Value> => {
  const entries = new Map<string, Value>()
  return {
    get: (key) => entries.get(key),
    forget: (key) => void entries.delete(key),
    set: (key, value) => {
      entries.delete(key)
      entries.set(key, value)
      if (entries.size > most) entries.delete(entries.keys().next().value as string)
    }
  }
}
