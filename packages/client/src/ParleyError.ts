import type { CatalogueCode } from "./Contract.js"

/** What `POST /oauth/token` refuses with (spec; decisions.md §4). */
export type OAuthErrorCode =
  | "invalid_client"
  | "invalid_request"
  | "invalid_scope"
  | "temporarily_unavailable"
  | "unsupported_grant_type"

/**
 * What went wrong where the service gave no answer of its own: nothing came back (`network_error`), not in time (`timeout`),
 * or something else answered, such as a proxy (`unexpected_response`).
 */
export type ClientErrorCode = "network_error" | "timeout" | "unexpected_response"

/** Branch on this. A newer service may send codes that are not listed here: keep a default. */
export type ErrorCode = CatalogueCode | OAuthErrorCode | ClientErrorCode

/** A call that was not answered with success, after the retries that the rules allow. */
export class ParleyError extends Error {
  override readonly name = "ParleyError"
  readonly code: ErrorCode
  /** The HTTP status; null where nothing came back. */
  readonly status: number | null
  /** For `validation_failed`: every field's problems by its name; else what the code promises (spec, Errors). */
  readonly details: { readonly [name: string]: unknown }
  /** Quote it when you ask an operator. */
  readonly requestId: string | null
  /** How many seconds the service asked to wait, if it did. */
  readonly retryAfter: number | null
  /** The key that every attempt of a creating call carried: call again with it to carry on, without doing it twice. */
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

/** Whether this was thrown by a client, also by another copy of this package; with codes: whether it has one of them. */
export const isParleyError = (error: unknown, ...codes: ReadonlyArray<ErrorCode>): error is ParleyError =>
  error instanceof Error &&
  error.name === "ParleyError" &&
  (codes.length === 0 || codes.includes((error as ParleyError).code))
