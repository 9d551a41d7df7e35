import { day, type Instant, minute } from "@parley/core"
import { addressKey } from "./addressKey.js"
import type { Excess } from "./Excess.js"
import { fixedWindows } from "./fixedWindows.js"
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
  /** Files of one visitor per day. Default: 50. */
  readonly filesPerDay?: number
  /** Bytes of files per day; a file counts as at least 65,536. Default: 104,857,600. */
  readonly fileBytesPerDay?: number
  /** The limits of all visitors of one client address: an IPv4 address, or the /64 network of an IPv6 address. */
  readonly address?: {
    /** Concurrent streams. Default: 500. */
    readonly streams?: number
    /** Streams that are opened, such as by pages that are left again. Default: 2,000. */
    readonly streamsPerMinute?: number
    /** Default: 400. */
    readonly messagesPerMinute?: number
    /** Bytes of texts in UTF-8. Default: 262,144. */
    readonly messageBytesPerMinute?: number
    /** Default: 524,288,000. */
    readonly fileBytesPerDay?: number
  }
  /** The limits of all visitors together. */
  readonly total?: {
    /** New anonymous visitors. Default: 6,000. */
    readonly visitorsPerMinute?: number
    /** Concurrent streams. Default: 10,000. */
    readonly streams?: number
    /** Streams that are opened. Default: 20,000. */
    readonly streamsPerMinute?: number
    /** Default: 12,000. */
    readonly messagesPerMinute?: number
    /** Bytes of texts in UTF-8. Default: 16,777,216. */
    readonly messageBytesPerMinute?: number
    /** Default: 2,147,483,648. */
    readonly fileBytesPerDay?: number
  }
}

/**
 * Counts visitors' requests in the memory of this process: protection against floods, not an exact limit across several
 * hosts. Each counts the request, or returns the limit that it exceeds and counts nothing.
 */
export interface VisitorLimits {
  readonly request: (visitor: string, now: Instant) => Excess | null
  readonly visitor: (address: string | undefined, now: Instant) => Excess | null
  /**
   * A request of a new visitor that may call the challenge. A visitor makes two: one without and one with the answer.
   */
  readonly challenge: (address: string | undefined, now: Instant) => Excess | null
  readonly message: (visitor: string, address: string | undefined, bytes: number, now: Instant) => Excess | null
  /** A message with a file of this size. */
  readonly file: (visitor: string, address: string | undefined, bytes: number, now: Instant) => Excess | null
  /** A stream that is to be opened. */
  readonly stream: (visitor: string, address: string | undefined, now: Instant) => Excess | null
  /** The part of the limit of all new visitors that is used, from 0 to 1. */
  readonly load: (now: Instant) => number
  readonly streams: OpenStreams
  /** Number of visitors and addresses that are counted at the moment. It is bounded. */
  readonly size: () => number
}

const mebibyte = 1_048_576

/** The limits that apply where none are given. */
export const defaultVisitorBounds = {
  messagesPerMinute: 20,
  requestsPerMinute: 300,
  visitorsPerMinute: 200,
  streams: 5,
  filesPerDay: 50,
  fileBytesPerDay: 100 * mebibyte,
  address: {
    streams: 500,
    streamsPerMinute: 2_000,
    messagesPerMinute: 400,
    messageBytesPerMinute: 262_144,
    fileBytesPerDay: 500 * mebibyte
  },
  total: {
    visitorsPerMinute: 6_000,
    streams: 10_000,
    streamsPerMinute: 20_000,
    messagesPerMinute: 12_000,
    messageBytesPerMinute: 16 * mebibyte,
    fileBytesPerDay: 2_048 * mebibyte
  }
} satisfies VisitorBounds

/** The least that a file counts, in bytes: a small one also has rows and a block of the disk. */
const minFileBytes = 65_536

const allVisitors = "all"

export const makeVisitorLimits = (bounds: VisitorBounds): VisitorLimits => {
  const visitor = { ...defaultVisitorBounds, ...bounds }
  const address = { ...defaultVisitorBounds.address, ...bounds.address }
  const total = { ...defaultVisitorBounds.total, ...bounds.total }
  const windows = {
    request: fixedWindows(visitor.requestsPerMinute, minute),
    message: fixedWindows(visitor.messagesPerMinute, minute),
    visitors: fixedWindows(visitor.visitorsPerMinute, minute),
    opened: fixedWindows(address.streamsPerMinute, minute),
    allOpened: fixedWindows(total.streamsPerMinute, minute),
    messages: fixedWindows(address.messagesPerMinute, minute),
    bytes: fixedWindows(address.messageBytesPerMinute, minute),
    allVisitors: fixedWindows(total.visitorsPerMinute, minute),
    challenges: fixedWindows(2 * visitor.visitorsPerMinute, minute),
    allChallenges: fixedWindows(2 * total.visitorsPerMinute, minute),
    allMessages: fixedWindows(total.messagesPerMinute, minute),
    allBytes: fixedWindows(total.messageBytesPerMinute, minute),
    files: fixedWindows(visitor.filesPerDay, day),
    visitorFileBytes: fixedWindows(visitor.fileBytesPerDay, day),
    addressFileBytes: fixedWindows(address.fileBytesPerDay, day),
    allFileBytes: fixedWindows(total.fileBytesPerDay, day)
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

  const ofMessage = (visitor: string, from: string | null, bytes: number): ReadonlyArray<Counted> => [
    ["messages", "visitor", "message", visitor, 1],
    ["messages", "address", "messages", from, 1],
    ["message_bytes", "address", "bytes", from, bytes],
    ["messages", "total", "allMessages", allVisitors, 1],
    ["message_bytes", "total", "allBytes", allVisitors, bytes]
  ]

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
    challenge: (address, now) =>
      count(
        [
          ["visitors", "address", "challenges", addressKey(address), 1],
          ["visitors", "total", "allChallenges", allVisitors, 1]
        ],
        now
      ),
    message: (visitor, address, bytes, now) => count(ofMessage(visitor, addressKey(address), bytes), now),
    file: (visitor, address, bytes, now) => {
      const from = addressKey(address)
      const counted = Math.max(bytes, minFileBytes)
      return count(
        [
          ...ofMessage(visitor, from, 0),
          ["files", "visitor", "files", visitor, 1],
          ["file_bytes", "visitor", "visitorFileBytes", visitor, counted],
          ["file_bytes", "address", "addressFileBytes", from, counted],
          ["file_bytes", "total", "allFileBytes", allVisitors, counted]
        ],
        now
      )
    },
    stream: (visitor, address, now) =>
      streams.excess(visitor, address) ??
      count(
        [
          ["opened_streams", "address", "opened", addressKey(address), 1],
          ["opened_streams", "total", "allOpened", allVisitors, 1]
        ],
        now
      ),
    load: (now) => windows.allVisitors.taken(allVisitors, now) / total.visitorsPerMinute,
    streams,
    size: () => Object.values(windows).reduce((sum, window) => sum + window.size(), streams.size())
  }
}
