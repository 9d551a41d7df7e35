import { addCount } from "@parley/core"
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
  const ofVisitors = new Map<string, number>()
  const ofAddresses = new Map<string, number>()
  let total = 0
  const excess = (visitor: string, address: string | undefined): Excess | null => {
    const from = addressKey(address)
    const of =
      (ofVisitors.get(visitor) ?? 0) >= limits.visitor
        ? "visitor"
        : from !== null && (ofAddresses.get(from) ?? 0) >= limits.address
          ? "address"
          : total >= limits.total
            ? "total"
            : null
    return of === null ? null : { limit: "streams", of, retryAfter }
  }
  const add = (visitor: string, address: string | undefined, count: 1 | -1): void => {
    const from = addressKey(address)
    addCount(ofVisitors, visitor, count)
    if (from !== null) addCount(ofAddresses, from, count)
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
    size: () => ofVisitors.size + ofAddresses.size
  }
}
