import type { Instant } from "../Instant.js"

/** A line of an application's request log: what it asked and what came of it, never with secrets or bodies. */
export interface LoggedRequest {
  /** The `X-Request-ID` of the answer. */
  readonly id: string
  readonly workspaceId: string
  readonly applicationId: string
  readonly method: string
  /** Without the query, which may tell of customers. */
  readonly path: string
  /** The HTTP status of the answer. */
  readonly status: number
  readonly durationMs: number
  /** The catalogue's code; null where the answer is no error. */
  readonly errorCode: string | null
  readonly createdAt: Instant
}
