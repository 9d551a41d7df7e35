import { Headers, HttpTraceContext } from "@effect/platform"
import { Context, DefaultServices, Effect, FiberRef, Option, Tracer } from "effect"
import { type Incoming, type Outgoing, targetOf } from "./Incoming.js"

/** The span in which the caller of this process runs, which its own instruments keep; undefined: none. */
export type ActiveSpan = () => Tracer.AnySpan | undefined

/**
 * Runs every request in a span: a child of the span that is active when the request is given to this function, else of
 * that in its `traceparent` header. Without a configured tracer, disables tracing, so that nested spans cost nothing.
 */
export const traced = (
  activeSpan: ActiveSpan
): Effect.Effect<(incoming: Incoming, work: Effect.Effect<Outgoing>) => Effect.Effect<Outgoing>> =>
  Effect.map(Effect.tracer, (tracer) => {
    if (tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer)) {
      return (_incoming, work) =>
        Effect.withFiberRuntime((fiber) =>
          fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.withTracerEnabled(work, false) : work
        )
    }
    return (incoming, work) =>
      work.pipe(
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        Effect.withSpan(`http.server ${incoming.method}`, {
          kind: "server",
          parent:
            activeSpan() ?? Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(incoming.headers))),
          attributes: { "http.request.method": incoming.method, "url.path": targetOf(incoming.url).path },
          captureStackTrace: false
        })
      )
  })
