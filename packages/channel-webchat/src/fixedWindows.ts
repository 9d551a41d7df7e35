import type { Instant } from "@parley/core"

/** A limit for each key and window; the window of a key begins with its first request. */
export interface FixedWindows {
  /** Seconds until the amount fits; zero: it fits now. */
  readonly wait: (key: string, amount: number, now: Instant) => number
  readonly take: (key: string, amount: number, now: Instant) => void
  /** The amount taken in the present window. */
  readonly taken: (key: string, now: Instant) => number
  readonly size: () => number
}

/**
 * Maximum number of keys in one set of windows, about 10 MB. The oldest windows are forgotten first: clients with more
 * addresses than this are stopped by the limits of all visitors together.
 */
export const maxKeys = 50_000

/** `length`: of a window, in ms. */
export const fixedWindows = (limit: number, length: number): FixedWindows => {
  // In the order in which they end.
  const windows = new Map<string, { readonly ends: Instant; taken: number }>()
  const current = (key: string, now: Instant) => {
    const window = windows.get(key)
    return window !== undefined && window.ends > now ? window : undefined
  }
  const forget = (now: Instant): void => {
    for (const [key, { ends }] of windows) {
      if (ends > now && windows.size < maxKeys) return
      windows.delete(key)
    }
  }
  return {
    wait: (key, amount, now) => {
      const window = current(key, now)
      // An amount above the limit fits into an empty window, or it would never fit.
      return window === undefined || window.taken + amount <= limit ? 0 : Math.ceil((window.ends - now) / 1_000)
    },
    take: (key, amount, now) => {
      const window = current(key, now)
      if (window !== undefined) window.taken += amount
      else {
        windows.delete(key)
        forget(now)
        windows.set(key, { ends: now + length, taken: amount })
      }
    },
    taken: (key, now) => current(key, now)?.taken ?? 0,
    size: () => windows.size
  }
}
