import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Fiber, type Scope, TestClock } from "effect"
import { type Incoming, makeInterpreter, publicModule } from "../../src/index.js"
import { fakes } from "../fakes.js"
import { type Served, serve } from "../serve.js"
import { transports } from "./transports.js"

const path = "/inbound/0190a1b2-0000-7000-8000-0000000000a1"
const MiB = 1_048_576
const limit = 30 * MiB
const hook = {
  methods: null,
  bodyLimit: limit,
  answer: () => Effect.succeed({ status: 200, headers: {}, body: "" })
}
const hookAt = () => Effect.succeed(hook)

interface Sender {
  readonly socket: Socket
  /** What the server sent so far. */
  readonly received: () => string
  readonly closed: () => boolean
}

/** A client that announces a body of the limit and sends only the beginning of it. */
const stalling = (port: number, sent: number): Effect.Effect<Sender, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.async<Sender>((resume) => {
      let text = ""
      let isClosed = false
      const socket = connect(port, "127.0.0.1", () => {
        socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nContent-Length: ${limit}\r\n\r\n`)
        socket.write(Buffer.alloc(sent), () =>
          resume(Effect.succeed({ socket, received: () => text, closed: () => isClosed }))
        )
      })
      socket.setEncoding("utf8")
      socket
        .on("data", (more: string) => {
          text += more
        })
        .on("close", () => {
          isClosed = true
        })
        .on("error", () => {})
    }),
    ({ socket }) => Effect.sync(() => socket.destroy())
  )

/** Looks again every 5 ms of real time, also where the clock of the test stands still. */
const until = (is: () => boolean) =>
  Effect.repeat(
    Effect.promise(() => setTimeout(5)),
    { until: is }
  )

/** A server, and the number of requests that reached a connection. */
const serving = Effect.gen(function* () {
  let requests = 0
  const served = yield* serve({ hookAt: () => Effect.sync(() => requests++).pipe(Effect.as(hook)) })
  return { served, requests: () => requests }
})

const post = (served: Served, bytes: number) =>
  served.request("POST", path, { token: null, body: new Uint8Array(bytes) })

/** Answers a request whose body is `body`, on the test clock. */
const answering = Effect.gen(function* () {
  const { services, takenFrom } = fakes({ hookAt })
  const interpreter = yield* Effect.flatMap(publicModule, (module) => makeInterpreter({ modules: [module] })).pipe(
    Effect.provide(services)
  )
  const call = (headers: Incoming["headers"], body: Incoming["body"]) =>
    interpreter.answer({ method: "POST", url: path, headers, peer: "192.0.2.1", body })
  return { call, takenFrom }
})

describe("large bodies", () => {
  // The server's clock stands still: a busy machine may need the 5 s that silent clients have.
  it.scoped("are accepted while other clients announce bodies and send nothing", () =>
    Effect.gen(function* () {
      const { requests, served } = yield* serving
      const silent = yield* Effect.forEach(Array.from({ length: 8 }), () => stalling(served.port, 0))
      yield* until(() => requests() === silent.length)
      expect((yield* post(served, 100_000)).status).toBe(200)
      expect((yield* post(served, limit)).status).toBe(200)
      expect(silent.map((sender) => sender.received())).toEqual(silent.map(() => ""))
    })
  )

  it.scopedLive("are accepted while stalled bodies fill the budget, of which one is refused", () =>
    Effect.gen(function* () {
      const { requests, served } = yield* serving
      const stalled = [yield* stalling(served.port, limit - MiB), yield* stalling(served.port, limit - MiB)]
      yield* until(() => requests() === stalled.length)
      // The server has read what they sent, and their rate drops.
      yield* Effect.sleep(2_000)
      expect((yield* post(served, 20 * MiB)).status).toBe(200)
      yield* until(() => stalled.some((sender) => sender.closed()))
      const refused = stalled.filter((sender) => sender.received() !== "")
      expect(refused).toHaveLength(1)
      expect(refused[0]?.received()).toMatch(/^HTTP\/1\.1 503 /)
      expect(refused[0]?.received()).toContain("retry-after: 1")
    })
  )

  for (const [what, headers] of [
    ["with a content length", { "content-length": `${limit}` }],
    ["without a content length", {}]
  ] as const) {
    it.effect(`that stall are refused with 408, and count against the address: one ${what}`, () =>
      Effect.gen(function* () {
        const { call, takenFrom } = yield* answering
        const silent = yield* Effect.fork(call(headers, () => Effect.never))
        yield* TestClock.adjust("5 seconds")
        const answer = yield* Fiber.join(silent)
        expect(answer).toMatchObject({ status: 408 })
        expect(JSON.parse(String(answer.body)).error).toMatchObject({ code: "bad_request" })
        expect([...takenFrom]).toEqual([["address:192.0.2.1", 1]])
      })
    )
  }

  it.effect("that arrive slowly are refused with 408 after the deadline", () =>
    Effect.gen(function* () {
      const { call } = yield* answering
      const slow = yield* Effect.fork(
        call({}, (_limit, onBytes) => {
          let received = 0
          const more = Effect.sync(() => {
            received += 100_000
            onBytes?.(received, received)
          })
          return Effect.forever(Effect.delay(more, "2 seconds"))
        })
      )
      yield* TestClock.adjust("29 seconds")
      expect(yield* Fiber.poll(slow)).toMatchObject({ _tag: "None" })
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(slow)).toMatchObject({ status: 408 })
    })
  )

  it.effect("that are too large are refused once they have been discarded", () =>
    Effect.gen(function* () {
      const { call } = yield* answering
      const tooLarge = { "content-length": `${limit + 1}` }
      for (let n = 0; n < 3; n++) yield* Effect.fork(call(tooLarge, () => Effect.never))
      expect((yield* call(tooLarge, () => Effect.succeed(null))).status).toBe(413)
      expect((yield* call({}, () => Effect.succeed(new Uint8Array(1)))).status).toBe(200)
    })
  )
})

for (const [name, transport] of transports) {
  for (const [bytes, status] of [
    [200_000, 200],
    [limit + 1, 413]
  ] as const) {
    it.scopedLive(`answers ${status} to a body of ${bytes} bytes through ${name}`, () =>
      Effect.gen(function* () {
        const { services } = fakes({ hookAt })
        const interpreter = yield* Effect.flatMap(publicModule, (module) =>
          makeInterpreter({ modules: [module] })
        ).pipe(Effect.provide(services))
        const fetch = yield* transport(interpreter)
        const answer = yield* Effect.promise(() => fetch(path, { method: "POST", body: new Uint8Array(bytes) }))
        expect(answer.status).toBe(status)
      })
    )
  }
}
