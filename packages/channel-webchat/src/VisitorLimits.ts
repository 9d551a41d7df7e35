import { type Instant, minute } from "@parley/core"

/** The limits of visitors in one process. */
export interface VisitorBounds {
  /** Messages of one visitor per minute. Default: 20. */
  readonly messagesPerMinute?: number
  /** Requests of one visitor per minute, of any kind. Default: 300. */
  readonly requestsPerMinute?: number
  /** New anonymous visitors from one address per minute. Default: 30. */
  readonly visitorsPerMinute?: number
  /**
   * Concurrent streams of one visitor, one for each open page. Default: 5, because browsers open six connections over
   * HTTP/1.
   */
  readonly streams?: number
}

/**
 * Counts visitors' requests in the memory of this process: protection against floods, not an exact limit across several
 * hosts.
 */
export interface VisitorLimits {
  /** Counts one request. Returns after how many seconds it may be retried; zero: it is allowed now. */
  readonly message: (key: string, now: Instant) => number
  readonly request: (key: string, now: Instant) => number
  readonly visitor: (address: string, now: Instant) => number
  readonly streams: OpenStreams
}

/** The number of open streams of each visitor. */
export interface OpenStreams {
  readonly isFull: (key: string) => boolean
  /** Counts one more stream below the limit. Returns whether it is allowed. */
  readonly open: (key: string) => boolean
  readonly close: (key: string) => void
}

export const makeVisitorLimits = (bounds: VisitorBounds): VisitorLimits => ({
  message: perMinute(bounds.messagesPerMinute ?? 20),
  request: perMinute(bounds.requestsPerMinute ?? 300),
  visitor: perMinute(bounds.visitorsPerMinute ?? 30),
  streams: openStreams(bounds.streams ?? 5)
})

/** A limit for each minute, which begins with the first request. */
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
