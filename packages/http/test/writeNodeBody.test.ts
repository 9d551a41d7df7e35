import { IncomingMessage, ServerResponse } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Stream } from "effect"
import { writeNodeBody } from "../src/server/writeNodeBody.js"

/** A response whose client has room for so many writes; then it takes nothing until it drains. */
const response = (room: number) => {
  const written: Array<string> = []
  const slow = new ServerResponse(new IncomingMessage(new Socket()))
  slow.write = (bytes: Uint8Array) => {
    written.push(Buffer.from(bytes).toString())
    return written.length % room !== 0
  }
  return { slow, written }
}
const words = Stream.make("one", "two", "three", "four", "five").pipe(Stream.map((word) => Buffer.from(word)))

it.live("writes no faster than the client takes it", () =>
  Effect.gen(function* () {
    const { slow, written } = response(2)
    const writing = yield* Effect.fork(writeNodeBody(slow, Stream.rechunk(words, 5)))
    for (const expected of [2, 4]) {
      yield* Effect.sleep(10)
      expect([written.length, slow.writableEnded]).toEqual([expected, false])
      slow.emit("drain")
    }
    yield* Fiber.join(writing)
    expect([written, slow.writableEnded]).toEqual([["one", "two", "three", "four", "five"], true])
    expect(slow.listenerCount("drain")).toBe(0)
  })
)

it.live("stops in the midst of a write that nobody takes, and leaves nothing behind", () =>
  Effect.gen(function* () {
    const { slow } = response(1)
    let ended = false
    const body = Stream.ensuring(
      words,
      Effect.sync(() => {
        ended = true
      })
    )
    const writing = yield* Effect.fork(writeNodeBody(slow, body))
    yield* Effect.sleep(10)
    expect(Exit.isInterrupted(yield* Fiber.interrupt(writing))).toBe(true)
    expect([ended, slow.listenerCount("drain"), slow.writableEnded]).toEqual([true, 0, false])
  })
)
