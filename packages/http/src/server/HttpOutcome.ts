import {
  type Answer,
  type CommitError,
  catalogue,
  type ErrorCode,
  exactJson,
  hasExactNumbers,
  type Refusal,
  refuse
} from "@parley/core"
import { Cause, Effect, Option } from "effect"
import type { ErrorEnvelope } from "../contract/ErrorEnvelope.js"
import type { Body } from "./Incoming.js"

/** Result of a request before the common headers are added. */
export interface HttpOutcome<B extends Body = string> {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: B
  /** Error code of the catalogue; null on success. */
  readonly code: ErrorCode | null
  /** Whether the response omits the rate-limit headers, because no limit applies to such requests. */
  readonly unlimited?: true
}

/** How an operation renders its success. */
interface Rendering {
  readonly status: number
  readonly encode: (value: unknown) => unknown
}

/** The response of an operation: its own {@link Answer} unchanged, or its result encoded by the contract. */
export const answerOf = ({ encode, status }: Rendering, result: unknown): Answer =>
  isAnswer(result) ? result : { status, body: textOf(encode(result), hasExactNumbers(result)), replayed: false }

const textOf = (body: unknown, isExact: boolean): string => (isExact ? exactJson(body) : JSON.stringify(body))

/** Success of an operation. */
export const success = (operation: Rendering, result: unknown): HttpOutcome => {
  const { body, replayed, status } = answerOf(operation, result)
  return { status, headers: replayed ? { "idempotency-replayed": "true" } : {}, body, code: null }
}

/** Renders a refusal, with the catalogue's status. */
export type RenderRefusal = (refusal: Refusal, requestId: string, headers?: HttpOutcome["headers"]) => HttpOutcome

/** The error envelope (docs/reference/errors.md#error-envelope). */
export const renderRefusal: RenderRefusal = (refusal, requestId, headers = {}) => {
  const { code, message, details } = refusal
  const error: ErrorEnvelope["error"] = { code, message, details, request_id: requestId }
  return {
    status: catalogue[code].status,
    headers: { ...headersOf(refusal), ...headers },
    body: JSON.stringify({ error }),
    code
  }
}

/** 408: the request did not arrive in time. The catalogue has no code of its own for it. */
export const requestTimeout = (requestId: string): HttpOutcome => ({
  ...renderRefusal(refuse("bad_request", {}, "The request took too long to arrive."), requestId),
  status: 408
})

/** 416: the file does not have the requested range. The catalogue has no code of its own for it. */
export const rangeNotSatisfiable = (requestId: string, size: number): HttpOutcome => ({
  ...renderRefusal(refuse("bad_request", {}, "The file does not have this range."), requestId, {
    "content-range": `bytes */${size}`
  }),
  status: 416
})

/** Renders any failure. Internal causes are logged and not sent to the client. */
export const renderFailure = (
  cause: Cause.Cause<Refusal | CommitError>,
  requestId: string,
  refused: RenderRefusal
): Effect.Effect<HttpOutcome> => {
  const error = Option.getOrNull(Cause.failureOption(cause))
  if (error?._tag === "Refusal") return Effect.succeed(refused(error, requestId))
  if (error !== null && error._tag !== "ChangesRejected") {
    return Effect.as(Effect.logWarning(`A request was not served: ${error.message}`), refused(unavailable, requestId))
  }
  // The client disconnected or the process stops: not an error.
  if (Cause.isInterruptedOnly(cause)) return Effect.succeed(refused(unavailable, requestId))
  return Effect.as(Effect.logError("A request failed unexpectedly.", cause), refused(unexpected, requestId))
}

const unavailable = refuse("service_unavailable")
const unexpected = refuse("internal_error")

const headersOf = (refusal: Refusal): HttpOutcome["headers"] => {
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
