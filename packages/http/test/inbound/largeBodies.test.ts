import { connect, type Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, TestClock } from "effect"
import { makeInterpreter, publicModule } from "../../src/index.js"
import { fakes } from "../fakes.js"
import { serve } from "../serve.js"

const path = "/inbound/0190a1b2-0000-7000-8000-0000000000a1"
const limit = 30 * 1_048_576
const hook = {
  methods: null,
  bodyLimit: limit,
  answer: () => Effect.succeed({ status: 200, headers: {}, body: "" })
}
const hookAt = () => Effect.succeed(hook)

/** A client that announces a body and sends none. */
const announcing = (port: number, bytes: number) =>
  Effect.acquireRelease(
    Effect.async<Socket>((resume) => {
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`)
        resume(Effect.succeed(socket))
      })
      socket.on("error", () => {})
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

describe("large bodies", () => {
  it.scopedLive("are refused while others fill the budget, and accepted afterwards", () =>
    Effect.gen(function* () {
      const requests: Array<string> = []
      const { port, request } = yield* serve({
        hookAt: () => Effect.sync(() => requests.push("")).pipe(Effect.as(hook))
      })
      const others = [yield* announcing(port, limit), yield* announcing(port, limit)]
      yield* Effect.repeat(Effect.sleep(5), { until: () => requests.length === 2 })
      const post = (bytes: number) => request("POST", path, { token: null, body: new Uint8Array(bytes) })
      expect((yield* post(60_000)).status).toBe(200)
      const refused = yield* post(limit)
      expect([refused.status, refused.error?.code, refused.headers["retry-after"]]).toEqual([
        503,
        "service_unavailable",
        "1"
      ])
      const waiting = yield* Effect.fork(post(limit))
      for (const socket of others) socket.destroy()
      expect((yield* Fiber.join(waiting)).status).toBe(200)
    })
  )
  for (const [what, headers] of [
    ["with a content length", { "content-length": `${limit}` }],
    ["without a content length", {}]
  ] as const) {
    it.effect(`that arrive too slowly release the budget: one ${what}`, () =>
      Effect.gen(function* () {
        const interpreter = yield* Effect.flatMap(publicModule, (module) =>
          makeInterpreter({ modules: [module] })
        ).pipe(Effect.provide(fakes({ hookAt }).services))
        const call = (body: Effect.Effect<Uint8Array>) =>
          interpreter.answer({ method: "POST", url: path, headers, peer: null, body: () => body })
        const held = yield* Effect.forEach([1, 2], () => Effect.fork(call(Effect.never)))
        const waiting = yield* Effect.fork(call(Effect.succeed(new Uint8Array(1))))
        yield* TestClock.adjust("4 seconds")
        for (const fiber of held) yield* Fiber.interrupt(fiber)
        expect((yield* Fiber.join(waiting)).status).toBe(200)
        const slow = yield* Effect.fork(call(Effect.never))
        yield* TestClock.adjust("30 seconds")
        expect(yield* Fiber.join(slow)).toMatchObject({ status: 503, headers: { "retry-after": "1" } })
      })
    )
  }
  it.effect("that are too large take no budget", () =>
    Effect.gen(function* () {
      const interpreter = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
        Effect.provide(fakes({ hookAt }).services)
      )
      const call = (length: number, body: Effect.Effect<Uint8Array | null>) =>
        interpreter.answer({
          method: "POST",
          url: path,
          headers: { "content-length": `${length}` },
          peer: null,
          body: () => body
        })
      for (let n = 0; n < 3; n++) yield* Effect.fork(call(limit + 1, Effect.never))
      expect((yield* call(limit + 1, Effect.succeed(null))).status).toBe(413)
      expect((yield* call(limit, Effect.succeed(new Uint8Array(1)))).status).toBe(200)
    })
  )
})
