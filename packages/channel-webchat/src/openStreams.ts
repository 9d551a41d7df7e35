import { addressKey } from "./addressKey.js"
import type { Excess } from "./Excess.js"

/** The number of open streams: of each visitor, of each address, and in total. */
export interface OpenStreams {
  /** The limit that one more stream would exceed, or null. */
  readonly excess: (visitor: string, address: string | undefined) => Excess | null
  /** Counts one more stream below the limits. Returns whether it is allowed. */
  readonly open: (visitor: string, address: string | undefined) => boolean
  readonly close: (visitor: string, address: string | undefined) => void
  /** Number of visitors and addresses with streams. */
  readonly size: () => number
}

/** Streams end after 15 minutes at the latest, mostly with their pages. */
const retryAfter = 30

export const openStreams = (limits: { readonly [Of in Excess["of"]]: number }): OpenStreams => {
  const ofVisitors = counter()
  const ofAddresses = counter()
  let total = 0
  const excess = (visitor: string, address: string | undefined): Excess | null => {
    const from = addressKey(address)
    const of =
      ofVisitors.get(visitor) >= limits.visitor
        ? "visitor"
        : from !== null && ofAddresses.get(from) >= limits.address
          ? "address"
          : total >= limits.total
            ? "total"
            : null
    return of === null ? null : { limit: "streams", of, retryAfter }
  }
  const add = (visitor: string, address: string | undefined, count: 1 | -1): void => {
    const from = addressKey(address)
    ofVisitors.add(visitor, count)
    if (from !== null) ofAddresses.add(from, count)
    total += count
  }
  return {
    excess,
    open: (visitor, address) => {
      if (excess(visitor, address) !== null) return false
      add(visitor, address, 1)
      return true
    },
    close: (visitor, address) => add(visitor, address, -1),
    size: () => ofVisitors.size() + ofAddresses.size()
  }
}

/** Counts by key, without an entry for zero. */
const counter = () => {
  const counts = new Map<string, number>()
  const get = (key: string): number => counts.get(key) ?? 0
  return {
    get,
    add: (key: string, count: number): void => {
      const sum = get(key) + count
      if (sum > 0) counts.set(key, sum)
      else counts.delete(key)
    },
    size: () => counts.size
  }
}
