/** Access by an API key of an application. */
export interface ApiKeyAccess {
  /** URL of the service, for example `https://messaging.example`, with or without the version prefix `/api/v1`. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly clientId?: never
}

/** Access by OAuth 2.0 client credentials. The client requests and renews access tokens. */
export interface OAuthAccess {
  /** URL of the service, for example `https://messaging.example`, with or without the version prefix `/api/v1`. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Subset of the application's scopes, separated by spaces. Default: all. */
  readonly scope?: string | undefined
  readonly apiKey?: never
}

/** Behaviour of the client. Each call can override `timeoutMs`. */
export interface ClientOptions {
  /** Replaces the runtime's `fetch`, for example for a proxy or in tests. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** Timeout of one attempt, including its body, in ms. Default: 30,000. */
  readonly timeoutMs?: number | undefined
  /** Maximum retries of a call (docs/reference/errors.md#retry-rules). 0: none. Default: 3. */
  readonly maxRetries?: number | undefined
  /** `User-Agent` of every request. Browsers ignore it. */
  readonly userAgent?: string | undefined
  /**
   * Abort it when the service shuts down: calls then wait for no retry, and fail with the error of their last attempt.
   * Requests in progress go on. Default: none.
   */
  readonly shutdownSignal?: AbortSignal | undefined
}

/** Options of a single call. */
export interface RequestOptions {
  /** Aborts the call and its retry delays with the signal's reason. Requests already sent may still take effect. */
  readonly signal?: AbortSignal | undefined
  /** Timeout of one attempt, including its body, in ms. */
  readonly timeoutMs?: number | undefined
}

/** Options of a call that creates something. */
export interface CreateOptions extends RequestOptions {
  /**
   * Unique per logical operation, 1 to 255 printable ASCII characters
   * (docs/reference/idempotency.md#the-idempotency-key-header). Default: a random key, the same for every attempt of
   * this call. Pass a stable key (for example an order number) to be safe across restarts.
   */
  readonly idempotencyKey?: string | undefined
}
