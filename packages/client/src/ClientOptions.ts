/** Access by an application's API key. */
export interface ApiKeyAccess {
  /** Where the service is, such as `https://messaging.example`; the version prefix `/api/v1` may be there or left out. */
  readonly baseUrl: string
  readonly apiKey: string
  readonly clientId?: never
}

/** Access by OAuth 2.0 client credentials. The client gets and renews access tokens by itself. */
export interface OAuthAccess {
  /** Where the service is, such as `https://messaging.example`; the version prefix `/api/v1` may be there or left out. */
  readonly baseUrl: string
  readonly clientId: string
  readonly clientSecret: string
  /** Fewer scopes than the application holds, separated by spaces. All of them where it is left out. */
  readonly scope?: string | undefined
  readonly apiKey?: never
}

/** How the client behaves; every call may have its own `timeoutMs`. */
export interface ClientOptions {
  /** Instead of the runtime's own `fetch`: a proxy's, or one for tests. */
  readonly fetch?: typeof globalThis.fetch | undefined
  /** How long one attempt may take, its body included, in ms. 30,000 by default. */
  readonly timeoutMs?: number | undefined
  /** How often a call is tried again, by the spec's retry rules. 3 by default; 0: never. */
  readonly maxRetries?: number | undefined
  /** The `User-Agent` of every request. Browsers keep their own. */
  readonly userAgent?: string | undefined
}

/** What a single call may ask for. */
export interface RequestOptions {
  /** Ends the call, its pauses included, with the signal's own reason. What was sent by then may still be carried out. */
  readonly signal?: AbortSignal | undefined
  /** How long one attempt may take, its body included, in ms. */
  readonly timeoutMs?: number | undefined
}

/** What a call that creates something may ask for. */
export interface CreateOptions extends RequestOptions {
  /**
   * Unique per logical operation, 1 to 255 printable ASCII characters (spec, Idempotency). Left out, it is a random one,
   * the same for every attempt of this call; give your own (an order number, say) to be safe over restarts too.
   */
  readonly idempotencyKey?: string | undefined
}
