/** How much of a bucket is left, as the answer's `X-RateLimit-*` headers tell (spec, Limits). */
export interface RateLimit {
  readonly limit: number
  readonly remaining: number
}

/** What comes with every answer, from its headers. */
export interface Received {
  /** `X-Request-ID`: quote it when you ask an operator. Null where something in between took it away. */
  readonly requestId: string | null
  /** Of the bucket nearest to empty. Null where something in between took the headers away. */
  readonly rateLimit: RateLimit | null
  /** Whether this is the answer to an earlier request with the same `Idempotency-Key`. */
  readonly replayed: boolean
}

/** A single resource, with wire names (spec, General rules). */
export interface Answer<Data> extends Received {
  readonly data: Data
}

/** One page of a page-numbered list (spec, Pagination). */
export interface NumberedPage<Row> extends Answer<ReadonlyArray<Row>> {
  readonly meta: {
    readonly current_page: number
    readonly per_page: number
    readonly total: number
    readonly last_page: number
  }
  readonly links: { readonly next: string | null; readonly prev: string | null }
}

/** One page of a cursor list, newest first (spec, Pagination). */
export interface CursorPage<Row> extends Answer<ReadonlyArray<Row>> {
  readonly meta: { readonly per_page: number; readonly has_more: boolean }
  readonly links: { readonly next: string | null; readonly prev: null }
}
