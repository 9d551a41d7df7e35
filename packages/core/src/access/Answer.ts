/** The answer of a creating operation, as it is kept for replays (decisions.md §5). */
export interface Answer {
  /** The HTTP status. */
  readonly status: number
  /** The body in wire shape: JSON text. */
  readonly body: string
  /** Whether it was given before: nothing was done now. */
  readonly replayed: boolean
}

/** What makes an operation happen once: the caller's key, and the fingerprint of what it stands for. */
export interface Idempotency {
  /** 1 to 255 characters. */
  readonly key: string
  /** Of {@link fingerprint}. */
  readonly fingerprint: string
}
