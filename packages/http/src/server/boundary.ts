import {
  type CommitError,
  type CurrentRequest,
  currentRequest,
  Ids,
  type Instant,
  type Refusal,
  type RefusedToken,
  RequestLog
} from "@parley/core"
import { Clock, Context, Effect, FiberRef, FiberRefs, HashMap, LogLevel } from "effect"
import { makeDelayedRefusals } from "./delayedRefusals.js"
import { type HttpOutcome, type RenderRefusal, renderFailure } from "./HttpOutcome.js"
import { type Body, type Incoming, type Outgoing, targetOf } from "./Incoming.js"
import { rateHeaders } from "./rateHeaders.js"
import { measureRequest } from "./requestMetrics.js"

/** Runs work with a request id and turns its result into a response with the common headers. Never fails. */
export type Boundary = <B extends Body>(
  incoming: Pick<Incoming, "method" | "url" | "application">,
  /** The client's address. Null: its refusals are not delayed. */
  address: string | null,
  /** In ms since the Unix epoch. */
  arrivedAt: Instant,
  /** Metrics label of the duration. */
  group: string,
  refusedAs: RenderRefusal,
  work: (requestId: string) => Effect.Effect<HttpOutcome<B>, Refusal | CommitError>
) => Effect.Effect<Outgoing<B | string>>

/**
 * Responds to a request whose refusal is known beforehand, as {@link Boundary} would, with less work: a flood of
 * refused requests must not slow others. It leaves no span and no line in the log.
 */
export type RefuseAtOnce = (
  refused: RefusedToken,
  /** The client's address. Null: its refusals are not delayed. */
  address: string | null,
  /** Metrics label of the duration. */
  group: string,
  refusedAs: RenderRefusal,
  arrivedAt: Instant,
  now: Instant
) => Effect.Effect<Outgoing<string>>

/**
 * Entry and exit of every request (docs/reference/requests.md#response-headers): records the metrics and the request
 * log line of the calling application. A 429 waits `refusalDelayMs`, but for that of an application
 * (docs/reference/rate-limits.md#delayed-refusals).
 */
export const makeBoundary = (
  refusalDelayMs: number
): Effect.Effect<{ readonly boundary: Boundary; readonly refuseAtOnce: RefuseAtOnce }, never, Ids | RequestLog> =>
  Effect.gen(function* () {
    const ids = yield* Ids
    const log = yield* RequestLog
    const delays = makeDelayedRefusals(refusalDelayMs)
    const refuseAtOnce: RefuseAtOnce = ({ refusal, token }, address, group, refusedAs, arrivedAt, now) => {
      const requestId = ids.next(arrivedAt)
      const { body, headers, status } = refusedAs(refusal, requestId)
      measureRequest(group, status, now - arrivedAt)
      const outgoing = { status, headers: allHeaders(requestId, rateHeaders([token], now), headers), body }
      return Effect.as(delays.wait(address), outgoing)
    }
    const boundary: Boundary = (incoming, address, arrivedAt, group, refusedAs, work) =>
      Effect.withFiberRuntime((fiber) => {
        const clock = Context.get(fiber.currentDefaultServices, Clock.Clock)
        const requestId = ids.next(arrivedAt)
        const { path } = targetOf(incoming.url)
        const request: CurrentRequest = { requester: null, rateTokens: [] }
        const annotations = fiber.getFiberRef(FiberRef.currentLogAnnotations)
        const outerRequest = fiber.getFiberRef(currentRequest)
        // Set and reset, not `Effect.locally`: an interrupted request ends its fiber, and each call of that takes 19
        // operations. Both at once, because each update copies all FiberRefs. Not back to all that was before: they
        // also hold an interruption that came meanwhile.
        const update = (of: typeof annotations, as: CurrentRequest | null) =>
          Effect.updateFiberRefs((fiberId, refs) =>
            FiberRefs.updateManyAs(refs, {
              entries: [
                [FiberRef.currentLogAnnotations, [[fiberId, of]]],
                [currentRequest, [[fiberId, as]]]
              ]
            })
          )
        const set = update(HashMap.set(annotations, "request_id", requestId), request)
        const reset = update(annotations, outerRequest)
        const outgoingOf = <B extends Body>({ status, headers, body, code, unlimited }: HttpOutcome<B>) => {
          const now = clock.unsafeCurrentTimeMillis()
          measureRequest(group, status, now - arrivedAt)
          if (request.requester !== null) {
            const { method } = incoming
            const line = { method, path, status, durationMs: now - arrivedAt, errorCode: code, createdAt: arrivedAt }
            log.record({ id: requestId, ...request.requester, ...line })
          }
          const isLimited = !unlimited && incoming.application?.limited !== false
          const limits: Outgoing["headers"] = !isLimited ? {} : rateHeaders(request.rateTokens, now)
          const outgoing: Outgoing<B> = { status, headers: allHeaders(requestId, limits, headers), body }
          const wait = status === 429 && request.requester === null ? delays.wait(address) : null
          const answered = Effect.as(wait === null ? reset : Effect.zipRight(reset, wait), outgoing)
          // Check the level first: building a discarded log line takes a tenth of a request's time.
          if (LogLevel.greaterThan(fiber.getFiberRef(FiberRef.currentMinimumLogLevel), LogLevel.Debug)) return answered
          const line = { method: incoming.method, path, status, milliseconds: now - arrivedAt }
          return Effect.zipRight(Effect.logDebug("Answered a request.", line), answered)
        }
        return Effect.flatMap(set, () =>
          Effect.matchCauseEffect(work(requestId), {
            onFailure: (cause) =>
              Effect.flatMap(
                Effect.annotateLogs(renderFailure(cause, requestId, refusedAs), { method: incoming.method, path }),
                outgoingOf
              ),
            onSuccess: outgoingOf
          })
        )
      })
    return { boundary, refuseAtOnce }
  })

/** The headers of a response: those that all have, the rate limits, and its own. */
const allHeaders = (requestId: string, limits: Outgoing["headers"], own: Outgoing["headers"]): Outgoing["headers"] => ({
  "content-type": "application/json",
  "cache-control": "no-store",
  "x-request-id": requestId,
  ...limits,
  ...own
})
