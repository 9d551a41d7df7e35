/** A limit that a request would exceed. */
export interface Excess {
  readonly limit:
    | "requests"
    | "visitors"
    | "streams"
    | "opened_streams"
    | "messages"
    | "message_bytes"
    | "files"
    | "file_bytes"
  /** Whose limit it is. */
  readonly of: "visitor" | "address" | "total"
  /** Seconds until the request may be repeated. */
  readonly retryAfter: number
}
