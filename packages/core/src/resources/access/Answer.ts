/** The response of a creating operation, as stored for replays (docs/reference/idempotency.md#replays). */
export interface Answer {
  /** The HTTP status. */
  readonly status: number
  /** The body in wire shape: JSON text. */
  readonly body: string
  /** True for a stored response: the operation was not executed again. */
  readonly replayed: boolean
}

/** The idempotency key of a request and the fingerprint of the request. */
export interface Idempotency {
  /** 1 to 255 characters. */
  readonly key: string
  /** Result of {@link fingerprint}. */
  readonly fingerprint: string
}
