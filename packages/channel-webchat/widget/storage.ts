/**
 * The key of all that the browser stores for a visitor or customer of a chat. Removes what it stored for others, so
 * that nothing of a customer remains after a log-out, such as a text that was not sent.
 */
export const keyFor = (base: string, customer: string | null): string => {
  const chat = `parley-webchat ${base}`
  const own = customer === null ? chat : `${chat} customer:${encodeURIComponent(customer)}`
  const isUnder = (owner: string, key: string): boolean => key === owner || key.startsWith(`${owner} `)
  const isOfOthers = (key: string): boolean =>
    customer === null ? key.startsWith(`${chat} customer:`) : isUnder(chat, key) && !isUnder(own, key)
  for (const where of [() => localStorage, () => sessionStorage]) {
    try {
      const storage = where()
      for (const key of Object.keys(storage)) {
        if (isOfOthers(key)) storage.removeItem(key)
      }
    } catch {
      // Forbidden: nothing is stored.
    }
  }
  return own
}

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
