import { type Answer, type CommitError, catalogue, type ErrorCode, type Refusal, refuse } from "@parley/core"
import { Cause, Effect, Option } from "effect"
import type { ErrorEnvelope } from "../contract/ErrorEnvelope.js"
import type { Body } from "./Incoming.js"

/** What became of a request, before it gets the headers that every answer carries. */
export interface Outcome<B extends Body = string> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: B
  /** The catalogue's code; null where it is no error. */
  readonly code: ErrorCode | null
  /** Whether it has no rate-limit headers, since nothing limits such requests. */
  readonly unlimited?: true
}

/** An operation that was carried out: its own answer as it is, or its result in the contract's shape. */
export const success = (
  operation: { readonly status: number; readonly encode: (value: unknown) => unknown },
  result: unknown
): Outcome =>
  isAnswer(result)
    ? {
        status: result.status,
        headers: result.replayed ? { "idempotency-replayed": "true" } : {},
        body: result.body,
        code: null
      }
    : { status: operation.status, headers: {}, body: JSON.stringify(operation.encode(result)), code: null }

/** What a refusal looks like, with the status from the catalogue. */
export type Refused = (refusal: Refusal, requestId: string, headers?: Outcome["headers"]) => Outcome

/** The envelope of a refusal (spec, Errors). */
export const refused: Refused = (refusal, requestId, headers = {}) => {
  const { code, message, details } = refusal
  const error: ErrorEnvelope["error"] = { code, message, details, request_id: requestId }
  return {
    status: catalogue[code].status,
    headers: { ...headersOf(refusal), ...headers },
    body: JSON.stringify({ error }),
    code
  }
}

/** The answer of whatever went wrong. What is our fault goes to the log, with its cause, and not into the answer. */
export const failed = (
  cause: Cause.Cause<Refusal | CommitError>,
  requestId: string,
  refused: Refused
): Effect.Effect<Outcome> => {
  const error = Option.getOrNull(Cause.failureOption(cause))
  if (error?._tag === "Refusal") return Effect.succeed(refused(error, requestId))
  if (error !== null && error._tag !== "ChangesRejected") {
    return Effect.as(Effect.logWarning(`A request was not served: ${error.message}`), refused(unavailable, requestId))
  }
  // Its client is gone, or the process is about to be: nobody's fault.
  if (Cause.isInterruptedOnly(cause)) return Effect.succeed(refused(unavailable, requestId))
  return Effect.as(Effect.logError("A request failed unexpectedly.", cause), refused(unexpected, requestId))
}

const unavailable = refuse("service_unavailable")
const unexpected = refuse("internal_error")

const headersOf = (refusal: Refusal): Outcome["headers"] => {
  switch (refusal.code) {
    case "unauthenticated":
      return { "www-authenticate": "Bearer" }
    case "service_unavailable":
      return { "retry-after": "1" }
    default:
      return {}
  }
}

const isAnswer = (result: unknown): result is Answer =>
  typeof result === "object" && result !== null && "replayed" in result && "status" in result && "body" in result
