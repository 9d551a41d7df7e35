import { type CommitError, type CurrentRequest, currentRequest, Ids, type Refusal, RequestLog } from "@parley/core"
import { Effect, type Fiber, FiberRef, HashMap, LogLevel } from "effect"
import { type Body, type Incoming, type Outgoing, targetOf } from "./Incoming.js"
import { failed, type Outcome, type Refused } from "./Outcome.js"
import { rateHeaders } from "./rateHeaders.js"
import { measureRequest } from "./requestMetrics.js"

/** Gives work its request id, and whatever it comes to the headers that every answer carries. Fails with nothing. */
export type Boundary = <B extends Body>(
  incoming: Pick<Incoming, "method" | "url">,
  /** What its duration counts under. */
  group: string,
  refusedAs: Refused,
  work: (requestId: string) => Effect.Effect<Outcome<B>, Refusal | CommitError>
) => Effect.Effect<Outgoing<B | string>>

/**
 * Where requests come in and answers go out (decisions.md §2): here each answer is measured, and gets its line in the log of
 * the application that asked.
 */
export const makeBoundary: Effect.Effect<Boundary, never, Ids | RequestLog> = Effect.gen(function* () {
  const ids = yield* Ids
  const log = yield* RequestLog
  const boundary: Boundary = (incoming, group, refusedAs, work) =>
    Effect.withFiberRuntime((fiber) =>
      Effect.clockWith((clock) => {
        const start = clock.unsafeCurrentTimeMillis()
        const requestId = ids.next(start)
        const { path } = targetOf(incoming.url)
        const request: CurrentRequest = { requester: null, drawn: [] }
        return Effect.suspend(() => work(requestId)).pipe(
          Effect.catchAllCause((cause) =>
            Effect.annotateLogs(failed(cause, requestId, refusedAs), { method: incoming.method, path })
          ),
          Effect.flatMap(({ status, headers, body, code, unlimited }) => {
            const now = clock.unsafeCurrentTimeMillis()
            measureRequest(group, status, now - start)
            if (request.requester !== null) {
              const { method } = incoming
              const line = { method, path, status, durationMs: now - start, errorCode: code, createdAt: start }
              log.record({ id: requestId, ...request.requester, ...line })
            }
            const limits: Outgoing["headers"] = unlimited ? {} : rateHeaders(request.drawn, now)
            const outgoing = {
              status,
              headers: {
                "content-type": "application/json",
                "cache-control": "no-store",
                "x-request-id": requestId,
                ...limits,
                ...headers
              },
              body
            }
            // Asked first, because a log line that nobody wants still costs a tenth of a request.
            if (LogLevel.greaterThan(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) {
              return Effect.succeed(outgoing)
            }
            const line = { method: incoming.method, path, status, milliseconds: now - start }
            return Effect.as(Effect.logDebug("Answered a request.", line), outgoing)
          }),
          Effect.locally(FiberRef.currentLogAnnotations, annotated(fiber, requestId)),
          Effect.locally(currentRequest, request)
        )
      })
    )
  return boundary
})

const annotated = (fiber: Fiber.RuntimeFiber<unknown, unknown>, requestId: string) =>
  HashMap.set(fiber.getFiberRef(FiberRef.currentLogAnnotations), "request_id", requestId)
