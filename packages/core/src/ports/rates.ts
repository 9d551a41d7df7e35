import type { Instant } from "../model/Instant.js"

/**
 * Request for one rate token of a bucket. The window is fixed and opens with its first token
 * (docs/reference/rate-limits.md#window).
 */
export interface RateTokenRequest {
  readonly bucket: string
  readonly limit: number
  readonly windowMs: number
  readonly now: Instant
}

/** Result of a token request, and the state of the bucket after it. */
export interface RateToken {
  readonly granted: boolean
  readonly limit: number
  readonly remaining: number
  /** Start of the window in ms. Identifies the window, so that a token is refunded to its own window only. */
  readonly openedAt: Instant
  readonly resetAt: Instant
}

/**
 * Request for the next slot of a slot queue (GCRA): at most `burst` at once, then `messages` in each `per` ms
 * (docs/reference/sends.md#slot-reservation).
 */
export interface Reservation {
  /** Key of the slot queue. */
  readonly key: string
  readonly messages: number
  readonly per: number
  readonly burst: number
  /** In virtual time (ms) of the slot queue, which may stand still but never runs faster than the clock. */
  readonly now: Instant
  /**
   * Lag of virtual time behind the clock, in ms; not the `behind` of claims. The adapter uses it to keep the row until
   * its last slot has passed.
   */
  readonly behind: number
}
