import { type Instant, minute } from "@parley/core"

/** What one process lets visitors do. */
export interface VisitorBounds {
  /** Messages of one visitor a minute. Default: 20. */
  readonly messagesPerMinute?: number
  /** Requests of one visitor a minute, of any kind. Default: 300. */
  readonly requestsPerMinute?: number
  /** New anonymous visitors from one address a minute. Default: 30. */
  readonly visitorsPerMinute?: number
  /** Streams of one visitor at a time, one for each open page. Default: 5, as browsers hold six connections over HTTP/1. */
  readonly streams?: number
}

/** Counts what visitors do, in the memory of this process: a bound against floods, not an exact one over many hosts. */
export interface VisitorLimits {
  /** Counts one, and answers after how many seconds it may be tried again; zero: it may be done now. */
  readonly message: (key: string, now: Instant) => number
  readonly request: (key: string, now: Instant) => number
  readonly visitor: (address: string, now: Instant) => number
  readonly streams: OpenStreams
}

/** How many streams each visitor has open. */
export interface OpenStreams {
  readonly isFull: (key: string) => boolean
  /** Counts one more, where it is not full; answers whether it did. */
  readonly open: (key: string) => boolean
  readonly close: (key: string) => void
}

export const makeVisitorLimits = (bounds: VisitorBounds): VisitorLimits => ({
  message: perMinute(bounds.messagesPerMinute ?? 20),
  request: perMinute(bounds.requestsPerMinute ?? 300),
  visitor: perMinute(bounds.visitorsPerMinute ?? 30),
  streams: openStreams(bounds.streams ?? 5)
})

/** At most so many in a minute that begins with the first. */
const perMinute = (limit: number) => {
  const windows = new Map<string, { ends: Instant; taken: number }>()
  let sweptAt = 0
  return (key: string, now: Instant): number => {
    if (now >= sweptAt + minute) {
      sweptAt = now
      for (const [key, { ends }] of windows) if (ends <= now) windows.delete(key)
    }
    const window = windows.get(key)
    if (window === undefined || window.ends <= now) {
      windows.set(key, { ends: now + minute, taken: 1 })
      return 0
    }
    window.taken += 1
    return window.taken > limit ? Math.ceil((window.ends - now) / 1_000) : 0
  }
}

const openStreams = (limit: number): OpenStreams => {
  const open = new Map<string, number>()
  const isFull = (key: string): boolean => (open.get(key) ?? 0) >= limit
  return {
    isFull,
    open: (key) => {
      if (isFull(key)) return false
      open.set(key, (open.get(key) ?? 0) + 1)
      return true
    },
    close: (key) => {
      const left = (open.get(key) ?? 0) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    }
  }
}
