/** Tokens left in a rate bucket, from the `X-RateLimit-*` headers (docs/reference/rate-limits.md#headers). */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
}

/** Metadata of every response, from its headers. */
export interface Received {
  /** `X-Request-ID`, for requests to an operator. Null if a proxy removed the header. */
  readonly requestId: string | null
  /** The bucket with the fewest tokens left. Null if a proxy removed the headers. */
  readonly rateLimit: RateLimit | null
  /** Whether this is the stored response of an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

/** A single resource, with wire names (docs/reference/requests.md#response-envelopes). */
export interface Answer<Data> extends Received {
  readonly data: Data
}

/** One page of a page-numbered list (docs/reference/pagination.md#page-lists). */
export interface NumberedPage<Row> extends Answer<ReadonlyArray<Row>> {
  readonly meta: {
    readonly current_page: number
    readonly per_page: number
    readonly total: number
    readonly last_page: number
  }
  readonly links: { readonly next: string | null; readonly prev: string | null }
}

/** One page of a cursor list, newest first (docs/reference/pagination.md#cursor-lists). */
export interface CursorPage<Row> extends Answer<ReadonlyArray<Row>> {
  readonly meta: { readonly per_page: number; readonly has_more: boolean }
  readonly links: { readonly next: string | null; readonly prev: null }
}
