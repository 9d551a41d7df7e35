import type { Instant } from "@parley/core"
import { addressKey } from "./addressKey.js"
import type { Excess } from "./Excess.js"
import { minuteWindows } from "./minuteWindows.js"
import { type OpenStreams, openStreams } from "./openStreams.js"

/**
 * The limits of visitors in one process. Requests above a limit are answered 429; above one of `total`, 503. Both have
 * `Retry-After`.
 */
export interface VisitorBounds {
  /** Messages of one visitor per minute. Default: 20. */
  readonly messagesPerMinute?: number
  /** Requests of one visitor per minute, of any kind. Default: 300. */
  readonly requestsPerMinute?: number
  /** New anonymous visitors from one address per minute. Default: 200. */
  readonly visitorsPerMinute?: number
  /**
   * Concurrent streams of one visitor, one for each open page. Default: 5, because browsers open six connections over
   * HTTP/1.
   */
  readonly streams?: number
  /** The limits of all visitors of one client address: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly address?: {
    /** Concurrent streams. Default: 500. */
    readonly streams?: number
    /** Default: 400. */
    readonly messagesPerMinute?: number
    /** Bytes of texts in UTF-8. Default: 262,144. */
    readonly messageBytesPerMinute?: number
  }
  /** The limits of all visitors together. */
  readonly total?: {
    /** New anonymous visitors. Default: 6,000. */
    readonly visitorsPerMinute?: number
    /** Concurrent streams. Default: 10,000. */
    readonly streams?: number
    /** Default: 12,000. */
    readonly messagesPerMinute?: number
    /** Bytes of texts in UTF-8. Default: 16,777,216. */
    readonly messageBytesPerMinute?: number
  }
}

/**
 * Counts visitors' requests in the memory of this process: protection against floods, not an exact limit across several
 * hosts. Each counts the request, or returns the limit that it exceeds and counts nothing.
 */
export interface VisitorLimits {
  readonly request: (visitor: string, now: Instant) => Excess | null
  readonly visitor: (address: string | undefined, now: Instant) => Excess | null
  readonly message: (visitor: string, address: string | undefined, bytes: number, now: Instant) => Excess | null
  readonly streams: OpenStreams
  /** Number of visitors and addresses that are counted at the moment. It is bounded. */
  readonly size: () => number
}

/** The limits that apply where none are given. */
export const defaultVisitorBounds = {
  messagesPerMinute: 20,
  requestsPerMinute: 300,
  visitorsPerMinute: 200,
  streams: 5,
  address: { streams: 500, messagesPerMinute: 400, messageBytesPerMinute: 262_144 },
  total: { visitorsPerMinute: 6_000, streams: 10_000, messagesPerMinute: 12_000, messageBytesPerMinute: 16_777_216 }
} satisfies VisitorBounds

const allVisitors = "all"

export const makeVisitorLimits = (bounds: VisitorBounds): VisitorLimits => {
  const visitor = { ...defaultVisitorBounds, ...bounds }
  const address = { ...defaultVisitorBounds.address, ...bounds.address }
  const total = { ...defaultVisitorBounds.total, ...bounds.total }
  const windows = {
    request: minuteWindows(visitor.requestsPerMinute),
    message: minuteWindows(visitor.messagesPerMinute),
    visitors: minuteWindows(visitor.visitorsPerMinute),
    messages: minuteWindows(address.messagesPerMinute),
    bytes: minuteWindows(address.messageBytesPerMinute),
    allVisitors: minuteWindows(total.visitorsPerMinute),
    allMessages: minuteWindows(total.messagesPerMinute),
    allBytes: minuteWindows(total.messageBytesPerMinute)
  }
  const streams = openStreams({ visitor: visitor.streams, address: address.streams, total: total.streams })

  type Counted = readonly [
    limit: Excess["limit"],
    of: Excess["of"],
    window: keyof typeof windows,
    key: string | null,
    amount: number
  ]
  /** Counts in all windows, or in none of them if one is full. A null key is not counted. */
  const count = (counted: ReadonlyArray<Counted>, now: Instant): Excess | null => {
    for (const [limit, of, window, key, amount] of counted) {
      const retryAfter = key === null ? 0 : windows[window].wait(key, amount, now)
      if (retryAfter > 0) return { limit, of, retryAfter }
    }
    for (const [, , window, key, amount] of counted) if (key !== null) windows[window].take(key, amount, now)
    return null
  }

  return {
    request: (visitor, now) => count([["requests", "visitor", "request", visitor, 1]], now),
    visitor: (address, now) =>
      count(
        [
          ["visitors", "address", "visitors", addressKey(address), 1],
          ["visitors", "total", "allVisitors", allVisitors, 1]
        ],
        now
      ),
    message: (visitor, address, bytes, now) => {
      const from = addressKey(address)
      return count(
        [
          ["messages", "visitor", "message", visitor, 1],
          ["messages", "address", "messages", from, 1],
          ["message_bytes", "address", "bytes", from, bytes],
          ["messages", "total", "allMessages", allVisitors, 1],
          ["message_bytes", "total", "allBytes", allVisitors, bytes]
        ],
        now
      )
    },
    streams,
    size: () => Object.values(windows).reduce((sum, window) => sum + window.size(), streams.size())
  }
}
