import type { Instant } from "./Instant.js"

/**
 * A row of the request log: one API request and its result, without secrets and bodies
 * (docs/reference/administration.md#request-log).
 */
export interface LoggedRequest {
  /** The `X-Request-ID` of the response. */
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  readonly method: string
  /** Without the query string, which may contain customer data. */
  readonly path: string
  /** HTTP status of the response. */
  readonly status: number
  readonly durationMs: number
  /** Code of the catalogue; null if the response is no error. */
  readonly errorCode: string | null
  readonly createdAt: Instant
}
