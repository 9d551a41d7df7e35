import { Headers, HttpTraceContext } from "@effect/platform"
import { Context, DefaultServices, Effect, Option, Tracer } from "effect"
import { type Incoming, type Outgoing, targetOf } from "./Incoming.js"

/**
 * Gives every request a span, the child of the one that its `traceparent` names; where no tracer was configured, switches
 * tracing off, which is what makes spans further down free.
 */
export const traced: Effect.Effect<(incoming: Incoming, work: Effect.Effect<Outgoing>) => Effect.Effect<Outgoing>> =
  Effect.map(Effect.tracer, (tracer) => {
    if (tracer === Context.get(DefaultServices.liveServices, Tracer.Tracer)) {
      return (_incoming, work) => Effect.withTracerEnabled(work, false)
    }
    return (incoming, work) =>
      work.pipe(
        Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
        Effect.withSpan(`http.server ${incoming.method}`, {
          kind: "server",
          parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(incoming.headers))),
          attributes: { "http.request.method": incoming.method, "url.path": targetOf(incoming.url).path },
          captureStackTrace: false
        })
      )
  })
