import type { CatalogueCode } from "./Contract.js"

/** Error codes of `POST /oauth/token` (docs/reference/authentication.md#token-endpoint-errors). */
export type OAuthErrorCode =
  | "invalid_client"
  | "invalid_request"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "unsupported_grant_type"

/**
 * Failures without a response of the service: no response (`network_error`), a timeout (`timeout`), or a response of
 * something else, for example a proxy (`unexpected_response`).
 */
export type ClientErrorCode = "network_error" | "timeout" | "unexpected_response"

/** Branch on this. Newer services may send codes that are not listed here: keep a default. */
export type ErrorCode = CatalogueCode | OAuthErrorCode | ClientErrorCode

/**
 * A failed call, after all allowed retries. `instanceof` holds for errors of other copies of this class too, such as
 * that of `@parley/embed`. The `message` is the service's, for `validation_failed` with the first problem.
 */
export class ParleyError extends Error {
  static override [Symbol.hasInstance](error: unknown): boolean {
    // biome-ignore lint/complexity/noThisInStatic: subclasses inherit this method, and are recognised as usual.
    return this === ParleyError ? isParleyError(error) : Function.prototype[Symbol.hasInstance].call(this, error)
  }

  override readonly name = "ParleyError"
  readonly code: ErrorCode
  /** HTTP status; null without a response. */
  readonly status: number | null
  /**
   * For `validation_failed`, the problems by field name; for other codes see docs/reference/errors.md#details-by-code.
   */
  readonly details: { readonly [name: string]: unknown }
  /** For requests to an operator. */
  readonly requestId: string | null
  /** Seconds from `Retry-After`, if present. */
  readonly retryAfter: number | null
  /** Key of all attempts of a creating call. Pass it to another call to retry without duplicates. */
  readonly idempotencyKey: string | null

  constructor(parts: {
    readonly code: ErrorCode
    readonly message: string
    readonly status?: number | null
    readonly details?: { readonly [name: string]: unknown }
    readonly requestId?: string | null
    readonly retryAfter?: number | null
    readonly idempotencyKey?: string | null
    readonly cause?: unknown
  }) {
    super(parts.message, "cause" in parts ? { cause: parts.cause } : {})
    this.code = parts.code
    this.status = parts.status ?? null
    this.details = parts.details ?? {}
    this.requestId = parts.requestId ?? null
    this.retryAfter = parts.retryAfter ?? null
    this.idempotencyKey = parts.idempotencyKey ?? null
  }
}

/**
 * Whether an error was thrown by a client, including one of another copy of this package, and has one of the codes, if
 * given.
 */
export const isParleyError = (error: unknown, ...codes: ReadonlyArray<ErrorCode>): error is ParleyError =>
  error instanceof Error &&
  error.name === "ParleyError" &&
  (codes.length === 0 || codes.includes((error as ParleyError).code))
