import { expect, it } from "@effect/vitest"
import { Effect, Layer, Option, Tracer } from "effect"
import { makeInterpreter, publicModule } from "../src/index.js"
import { contact, contactId, fakes, token } from "./fakes.js"

const incoming = {
  method: "GET",
  url: `/api/v1/contacts/${contactId}`,
  headers: {
    authorization: `Bearer ${token}`,
    traceparent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
  },
  peer: null,
  body: () => Effect.succeed(null)
}

const answering = Effect.gen(function* () {
  const { services } = fakes({ getContact: () => Effect.withSpan(Effect.succeed(contact), "inside") })
  const interpreter = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
    Effect.provide(services)
  )
  return yield* interpreter.answer(incoming)
})

it.effect("makes the request's span a child of that in traceparent", () => {
  const spans: Array<{ readonly name: string; readonly parent: string | undefined; readonly attributes: object }> = []
  return Effect.gen(function* () {
    const native = yield* Effect.tracer
    const tracer = Tracer.make({
      span: (...given) => {
        const span = native.span(...given)
        spans.push({
          name: span.name,
          parent: Option.getOrUndefined(span.parent)?.spanId,
          get attributes() {
            return Object.fromEntries(span.attributes)
          }
        })
        return span
      },
      context: (run) => run()
    })
    yield* answering.pipe(Effect.provide(Layer.setTracer(tracer)))
    expect(spans.map(({ name }) => name)).toEqual(["http.server GET", "inside"])
    expect(spans[0]?.parent).toBe("b7ad6b7169203331")
    expect(spans[0]?.attributes).toEqual({
      "http.request.method": "GET",
      "url.path": `/api/v1/contacts/${contactId}`,
      "http.response.status_code": 200
    })
  })
})

it.effect("creates no span without a configured tracer", () => {
  let traced: boolean | undefined
  return Effect.gen(function* () {
    const { services } = fakes({
      getContact: () =>
        Effect.map(Effect.option(Effect.withSpan(Effect.currentSpan, "inside")), (span) => {
          traced = Option.isSome(span) && span.value.sampled
          return contact
        })
    })
    const interpreter = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
      Effect.provide(services)
    )
    yield* interpreter.answer(incoming)
    expect(traced).toBe(false)
  })
})
