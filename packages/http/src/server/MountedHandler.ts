import type { CommitError, ProviderRequest, Refusal } from "@parley/core"
import type { Effect } from "effect"
import type { HttpOutcome } from "./HttpOutcome.js"
import type { Body, Incoming } from "./Incoming.js"

/**
 * Serves all requests below one path segment, outside of the contracts. It defines its own request and response
 * formats. Refusals it fails with get the error envelope; all responses get the common headers.
 */
export interface MountedHandler {
  /** First path segment of its requests; also their group in the metrics. */
  readonly name: string
  readonly answer: (incoming: Incoming, route: RouteContext) => Effect.Effect<HttpOutcome<Body>, Refusal | CommitError>
}

/** Route and client of a request to a mounted handler. */
export interface RouteContext {
  readonly requestId: string
  /** Path after the name: empty, or for example `/42/messages`. */
  readonly path: string
  /** Base URL of this service, as in `PARLEY_PUBLIC_URL`, else by the request's headers; without a trailing slash. */
  readonly base: string
  /** Query string without `?`. */
  readonly search: string
  /** Client address: selects the rate bucket of unauthenticated requests. */
  readonly address: string
  /** Notes that a credential or signature of this request was valid: its network is verified from then on. */
  readonly noteVerified: Effect.Effect<void>
  /** Limits failed attempts of the client address. */
  readonly checkCredential: NonNullable<ProviderRequest["checkCredential"]>
}
