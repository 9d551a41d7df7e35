import { createServer, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { connect } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import { Duration, Effect, Exit, Fiber, Queue, Scope } from "effect"
import { drained, drainMs } from "../src/drained.js"

/** More than the socket buffers hold, and few enough bytes to be read in time on a busy machine. */
const answerBytes = 16 * 1_048_576

describe("a server that is stopped", () => {
  it.live("answers requests in progress, closes their connections, and accepts no new ones", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const begun = yield* Queue.unbounded<ServerResponse>()
      const server = createServer((_request, response) => void Queue.unsafeOffer(begun, response))
      yield* Scope.extend(drained(server), scope)
      yield* Effect.async<void>((resume) => {
        server.listen(0, "127.0.0.1", () => resume(Effect.void))
      })
      const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
      const call = Effect.promise(() => fetch(url))

      // A connection that stays open, idle.
      const first = yield* Effect.fork(call)
      ;(yield* Queue.take(begun)).end("first")
      yield* Effect.promise(async () => (await Fiber.join(first).pipe(Effect.runPromise)).text())

      const second = yield* Effect.fork(call)
      const response = yield* Queue.take(begun)
      const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* Effect.repeat(Effect.yieldNow(), { until: () => !server.listening })
      expect(
        yield* Effect.promise(() =>
          fetch(url).then(
            () => "let in",
            () => "refused"
          )
        )
      ).toBe("refused")

      response.end("second")
      const answer = yield* Fiber.join(second)
      expect(answer.headers.get("connection")).toBe("close")
      expect(yield* Effect.promise(() => answer.text())).toBe("second")
      yield* Fiber.join(closing)
    })
  )

  for (const [what, headers, isCutOff] of [
    ["does not wait for a client that stopped reading a stream", {}, true],
    [
      "waits for a slow client to read a complete response with a content length",
      { "content-length": answerBytes },
      false
    ]
  ] as const) {
    it.live(what, () =>
      Effect.gen(function* () {
        const scope = yield* Scope.make()
        const begun = yield* Queue.unbounded<ServerResponse>()
        const server = createServer((_request, response) => void Queue.unsafeOffer(begun, response))
        yield* Scope.extend(drained(server), scope)
        yield* Effect.async<void>((resume) => {
          server.listen(0, "127.0.0.1", () => resume(Effect.void))
        })
        const socket = connect((server.address() as AddressInfo).port, "127.0.0.1")
        yield* Effect.addFinalizer(() => Effect.sync(() => socket.destroy()))
        socket.pause()
        socket.on("error", () => {})
        socket.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        const response = yield* Queue.take(begun)
        response.writeHead(200, headers).end(Buffer.alloc(answerBytes))
        const closing = yield* Effect.fork(Scope.close(scope, Exit.void))
        if (isCutOff) {
          const [spent] = yield* Effect.timed(Fiber.join(closing))
          expect(Duration.toMillis(spent)).toBeLessThan(drainMs)
          expect(response.writableFinished).toBe(false)
        } else {
          // Longer than a stream may take.
          yield* Effect.sleep("1500 millis")
          expect(response.destroyed).toBe(false)
          let read = 0
          socket.on("data", (chunk) => {
            read += chunk.length
          })
          socket.resume()
          yield* Effect.async<void>((resume) => void socket.once("end", () => resume(Effect.void)))
          yield* Fiber.join(closing)
          expect(read).toBeGreaterThan(answerBytes)
        }
      }).pipe(Effect.scoped)
    )
  }
})
