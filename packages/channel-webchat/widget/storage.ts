/** A value that is stored in the browser. */
export interface Stored<A> {
  readonly get: () => A | null
  readonly set: (value: A | null) => void
}

/** Stores a value in the browser; if that is forbidden or full, until the page is left. */
export const stored = <A>(where: () => Storage, key: string): Stored<A> => {
  let memory: string | null | undefined
  return {
    get: (): A | null => {
      try {
        return JSON.parse((memory === undefined ? where().getItem(key) : memory) ?? "null")
      } catch {
        return null
      }
    },
    set: (value: A | null): void => {
      const text = value === null ? null : JSON.stringify(value)
      try {
        if (text === null) where().removeItem(key)
        else where().setItem(key, text)
        memory = undefined
      } catch {
        memory = text
      }
    }
  }
}
