import { describe, expect, it } from "@effect/vitest"
import type { ProviderAnswer, PushClient, PushedBody } from "@parley/core"
import { Chunk, Deferred, Effect, Exit, Queue, Stream } from "effect"
import { makeInterpreter, publicModule } from "../../src/index.js"
import { fakes } from "../fakes.js"
import { type Transport, transports } from "./transports.js"

const path = "/inbound/0190a1b2-0000-7000-8000-0000000000a1/stream"
const bytes = (text: string) => new TextEncoder().encode(text)

/** A transport with a hook that responds with this stream, and a switch that stops the host. */
const streaming = (transport: Transport, body: ProviderAnswer["body"], answer: Partial<ProviderAnswer> = {}) =>
  Effect.gen(function* () {
    const headers = { "content-type": "text/event-stream" }
    const { services } = fakes({
      hookAt: () =>
        Effect.succeed({
          methods: null,
          bodyLimit: 1_000,
          answer: () => Effect.succeed({ status: 200, headers, body, ...answer })
        })
    })
    const stop = yield* Deferred.make<void>()
    const interpreter = yield* Effect.flatMap(publicModule, (module) =>
      makeInterpreter({ modules: [module], stopping: Deferred.await(stop) })
    ).pipe(Effect.provide(services))
    const fetch = yield* transport(interpreter)
    return {
      fetch: (init: RequestInit = {}) => Effect.promise(() => fetch(path, init)),
      stop: Deferred.succeed(stop, undefined)
    }
  })

/** Reads a body chunk by chunk; null at its end. */
const reading = (response: Response) => {
  const reader = response.body?.getReader()
  return {
    next: Effect.promise(async () => {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      return done ? null : Buffer.from(value ?? []).toString()
    }),
    cancel: Effect.promise(async () => reader?.cancel())
  }
}

for (const [name, transport] of transports) {
  describe(`a stream through ${name}`, () => {
    it.scopedLive("is sent as it is produced, to its end", () =>
      Effect.gen(function* () {
        const message = yield* Queue.unbounded<string>()
        const body = Stream.fromQueue(message).pipe(
          Stream.takeWhile((word) => word !== "end"),
          Stream.map(bytes)
        )
        const { fetch } = yield* streaming(transport, body)
        yield* Queue.offer(message, "one")
        const response = yield* fetch()
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
        expect(response.headers.has("content-length")).toBe(false)
        const { next } = reading(response)
        expect(yield* next).toBe("one")
        yield* Queue.offer(message, "two")
        expect(yield* next).toBe("two")
        yield* Queue.offer(message, "end")
        expect(yield* next).toBeNull()
      })
    )

    it.scopedLive("is interrupted when its client disconnects", () =>
      Effect.gen(function* () {
        const ended = yield* Deferred.make<Exit.Exit<unknown, unknown>>()
        const body = Stream.concat(Stream.make(bytes("one")), Stream.never).pipe(
          Stream.ensuringWith((exit) => Deferred.succeed(ended, exit))
        )
        const { fetch } = yield* streaming(transport, body)
        const { cancel, next } = reading(yield* fetch())
        expect(yield* next).toBe("one")
        yield* cancel
        expect(Exit.isInterrupted(yield* Deferred.await(ended))).toBe(true)
      })
    )

    it.scopedLive("ends when the host begins to stop", () =>
      Effect.gen(function* () {
        const { fetch, stop } = yield* streaming(transport, Stream.concat(Stream.make(bytes("one")), Stream.never))
        const { next } = reading(yield* fetch())
        expect(yield* next).toBe("one")
        yield* stop
        expect(yield* next).toBeNull()
      })
    )

    it.scopedLive("is sent to its end while the host stops, if it has a content length", () =>
      Effect.gen(function* () {
        const gate = yield* Deferred.make<void>()
        const rest = Stream.fromEffect(Effect.as(Deferred.await(gate), bytes("two")))
        const headers = { "content-type": "text/plain", "content-length": "6" }
        const { fetch, stop } = yield* streaming(transport, Stream.concat(Stream.make(bytes("one")), rest), { headers })
        const { next } = reading(yield* fetch())
        expect(yield* next).toBe("one")
        yield* stop
        yield* Deferred.succeed(gate, undefined)
        expect(yield* next).toBe("two")
        expect(yield* next).toBeNull()
      })
    )

    it.scopedLive("is not started for HEAD", () =>
      Effect.gen(function* () {
        const { fetch } = yield* streaming(transport, Stream.dieMessage("begun"))
        const response = yield* fetch({ method: "HEAD" })
        expect([response.status, yield* Effect.promise(() => response.text())]).toEqual([200, ""])
      })
    )
  })
}

/** A pushed body, and its client once it is opened. */
const pushing = Effect.gen(function* () {
  const opened = yield* Deferred.make<PushClient>()
  const closed = yield* Deferred.make<void>()
  const drained = yield* Queue.unbounded<void>()
  let closings = 0
  const body: PushedBody = {
    _tag: "PushedBody",
    open: (client) => {
      Deferred.unsafeDone(opened, Effect.succeed(client))
      client.write("first")
      return {
        drained: () => void drained.unsafeOffer(undefined),
        closed: () => {
          closings += 1
          Deferred.unsafeDone(closed, Effect.void)
        },
        stop: () => {
          client.write("last")
          client.end()
        }
      }
    }
  }
  return { body, opened, closed: Deferred.await(closed), drained, closings: () => closings }
})

for (const [name, transport] of transports) {
  describe(`a pushed body through ${name}`, () => {
    it.scopedLive("is sent as it is written, to its end", () =>
      Effect.gen(function* () {
        const { body, opened, closed, closings } = yield* pushing
        const { fetch } = yield* streaming(transport, body)
        const response = yield* fetch()
        expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream"])
        expect(response.headers.has("content-length")).toBe(false)
        const { next } = reading(response)
        expect(yield* next).toBe("first")
        const client = yield* Deferred.await(opened)
        client.write("two")
        expect(yield* next).toBe("two")
        client.end()
        expect(yield* next).toBeNull()
        yield* closed
        expect(closings()).toBe(1)
      })
    )

    it.scopedLive("survives a write after its end", () =>
      Effect.gen(function* () {
        const { body, opened, closed } = yield* pushing
        const { fetch } = yield* streaming(transport, body)
        const { next } = reading(yield* fetch())
        expect(yield* next).toBe("first")
        const client = yield* Deferred.await(opened)
        client.end()
        client.write("late")
        client.end()
        expect(yield* next).toBeNull()
        yield* closed
      })
    )

    it.scopedLive("is closed when its client disconnects", () =>
      Effect.gen(function* () {
        const { body, closed, closings } = yield* pushing
        const { fetch } = yield* streaming(transport, body)
        const { cancel, next } = reading(yield* fetch())
        expect(yield* next).toBe("first")
        yield* cancel
        yield* closed
        expect(closings()).toBe(1)
      })
    )

    it.scopedLive("is stopped when the host begins to stop, also one that is opened later", () =>
      Effect.gen(function* () {
        const { body, closed } = yield* pushing
        const { fetch, stop } = yield* streaming(transport, body)
        const { next } = reading(yield* fetch())
        expect(yield* next).toBe("first")
        yield* stop
        expect(yield* next).toBe("last")
        expect(yield* next).toBeNull()
        yield* closed
        expect(yield* Effect.promise(async () => (await Effect.runPromise(fetch())).text())).toBe("firstlast")
      })
    )

    it.scopedLive("is not opened for HEAD", () =>
      Effect.gen(function* () {
        const { body, opened } = yield* pushing
        const { fetch } = yield* streaming(transport, body)
        const response = yield* fetch({ method: "HEAD" })
        expect([response.status, yield* Effect.promise(() => response.text())]).toEqual([200, ""])
        expect(yield* Deferred.isDone(opened)).toBe(false)
      })
    )

    it.scopedLive("is notified when its client takes no more, and when it takes again", () =>
      Effect.gen(function* () {
        const { body, drained, opened } = yield* pushing
        const { fetch } = yield* streaming(transport, body)
        const response = yield* fetch()
        const { next } = reading(response)
        expect(yield* next).toBe("first")
        const client = yield* Deferred.await(opened)
        const part = "x".repeat(65_536)
        let written = 0
        while (client.write(part)) written += 1
        // The buffers of the sockets are larger on some machines.
        expect(written).toBeLessThan(1_000)
        let read = 0
        while (read < (written + 1) * part.length) read += (yield* next)?.length ?? Number.POSITIVE_INFINITY
        expect(read).toBe((written + 1) * part.length)
        yield* Effect.fork(next)
        yield* Queue.take(drained)
        client.end()
      })
    )
  })
}

it.scopedLive("a stream through a fetch handler is produced no faster than it is read", () =>
  Effect.gen(function* () {
    const [, , [, web] = []] = transports
    if (web === undefined) return yield* Effect.dieMessage("there is no fetch handler")
    let made = 0
    const body = Stream.repeatEffectChunk(
      Effect.sync(() => {
        made += 1
        return Chunk.of(bytes(`${made}`))
      })
    )
    const { fetch } = yield* streaming(web, body)
    const { cancel, next } = reading(yield* fetch())
    for (const count of [1, 2, 3]) {
      expect(yield* next).toBe(`${count}`)
      yield* Effect.sleep(20)
      expect(made).toBeLessThanOrEqual(count + 2)
    }
    yield* cancel
  })
)

for (const [name, transport] of transports.slice(0, 3)) {
  it.scopedLive(`a stream through ${name} has its head sent before any of it`, () =>
    Effect.gen(function* () {
      const { fetch } = yield* streaming(transport, Stream.never)
      const response = yield* fetch()
      expect(response.status).toBe(200)
      yield* reading(response).cancel
    })
  )
}

it.scopedLive("a failing stream is aborted, so that the client does not take it for complete", () =>
  Effect.gen(function* () {
    const [[, node] = []] = transports
    if (node === undefined) return yield* Effect.dieMessage("there is no server")
    const { fetch } = yield* streaming(node, Stream.concat(Stream.make(bytes("one")), Stream.dieMessage("broken")))
    const response = yield* fetch()
    const text = yield* Effect.promise(() => response.text().catch(() => "cut off"))
    expect(text).toBe("cut off")
  })
)
