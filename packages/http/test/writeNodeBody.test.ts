import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { writeNodeBody } from "../src/server/writeNodeBody.js"

/** A response whose client accepts this many writes before a drain. */
const response = (room: number) => {
  const written: Array<string> = []
  const slow = new ServerResponse(new IncomingMessage(new Socket()))
  slow.write = (bytes: Uint8Array) => {
    written.push(Buffer.from(bytes).toString())
    return written.length % room !== 0
  }
  return { slow, written }
}
/** Waits for this number of writes. */
const hasWritten = (written: ReadonlyArray<string>, count: number) =>
  Effect.repeat(Effect.sleep(1), { until: () => written.length >= count })
const message = Stream.make("one", "two", "three", "four", "five").pipe(Stream.map((word) => Buffer.from(word)))

it.live("writes no faster than the client reads", () =>
  Effect.gen(function* () {
    const { slow, written } = response(2)
    const writing = yield* Effect.fork(writeNodeBody(slow, Stream.rechunk(message, 5)))
    for (const expected of [2, 4]) {
      yield* hasWritten(written, expected)
      yield* Effect.sleep(10)
      expect([written.length, slow.writableEnded]).toEqual([expected, false])
      slow.emit("drain")
    }
    yield* Fiber.join(writing)
    expect([written, slow.writableEnded]).toEqual([["one", "two", "three", "four", "five"], true])
    expect(slow.listenerCount("drain")).toBe(0)
  })
)

it.live("stops a blocked write on interruption, and leaves no listener", () =>
  Effect.gen(function* () {
    const { slow, written } = response(1)
    let ended = false
    const body = Stream.ensuring(
      message,
      Effect.sync(() => {
        ended = true
      })
    )
    const writing = yield* Effect.fork(writeNodeBody(slow, body))
    yield* hasWritten(written, 1)
    expect(Exit.isInterrupted(yield* Fiber.interrupt(writing))).toBe(true)
    expect([ended, slow.listenerCount("drain"), slow.writableEnded]).toEqual([true, 0, false])
  })
)
