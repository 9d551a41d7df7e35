import { IncomingMessage } from "node:http"
import { Socket } from "node:net"
import { expect, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { readNodeBody } from "../src/server/readNodeBody.js"

const request = (contentLength?: number) => {
  const message = new IncomingMessage(new Socket())
  if (contentLength !== undefined) message.headers["content-length"] = String(contentLength)
  return message
}
const unused = () => {
  throw new Error("The body must not be cut off.")
}
const begin = (message: IncomingMessage) =>
  Effect.fork(readNodeBody(message, 4, unused)).pipe(Effect.tap(() => Effect.yieldNow()))

it.live("joins the chunks", () =>
  Effect.gen(function* () {
    const message = request()
    const reading = yield* begin(message)
    for (const chunk of ["ab", "cd", null]) message.push(chunk)
    expect(Buffer.from((yield* Fiber.join(reading)) ?? []).toString()).toBe("abcd")
  })
)

it.live("joins the chunks of a large body with a content length", () =>
  Effect.gen(function* () {
    const [one, other] = [Buffer.alloc(60_000, 1), Buffer.alloc(60_000, 2)]
    const message = request(120_000)
    const reading = yield* Effect.fork(readNodeBody(message, 120_000, unused))
    yield* Effect.yieldNow()
    for (const chunk of [one, other, null]) message.push(chunk)
    expect(Buffer.concat([one, other]).equals((yield* Fiber.join(reading)) ?? new Uint8Array())).toBe(true)
  })
)

it.live("stops at the content length, and reads on to the end", () =>
  Effect.gen(function* () {
    const message = request(5)
    const reading = yield* begin(message)
    for (const chunk of ["ab", null]) message.push(chunk)
    expect(yield* Fiber.join(reading)).toBeNull()
  })
)

it.live("is interrupted when the client disconnects during the body", () =>
  Effect.gen(function* () {
    const message = request()
    const reading = yield* begin(message)
    message.push("ab")
    message.destroy()
    const exit = yield* Fiber.await(reading)
    expect(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause)).toBe(true)
  })
)

it.live("is interrupted if the client disconnected before", () =>
  Effect.gen(function* () {
    const message = request()
    message.destroy()
    const exit = yield* Effect.exit(readNodeBody(message, 4, unused))
    expect(Exit.isInterrupted(exit)).toBe(true)
  })
)

it.live("removes its listeners from the request", () =>
  Effect.gen(function* () {
    const message = request()
    const before = message.listenerCount("data") + message.listenerCount("end") + message.listenerCount("close")
    const reading = yield* begin(message)
    yield* Fiber.interrupt(reading)
    expect(message.listenerCount("data") + message.listenerCount("end") + message.listenerCount("close")).toBe(before)
  })
)

/** A request whose body was consumed, with these properties set. */
const readBefore = (left: object, contentType = "application/json") =>
  Effect.gen(function* () {
    const message = Object.assign(request(), left)
    message.headers["content-type"] = contentType
    message.push(null)
    message.resume()
    yield* Effect.async<void>((resume) => void message.once("end", () => resume(Effect.void)))
    const exit = yield* Effect.exit(readNodeBody(message, 20, unused))
    return Exit.map(exit, (bytes) => bytes && Buffer.from(bytes).toString())
  })

it.live("uses the result of an earlier body parser", () =>
  Effect.gen(function* () {
    for (const [left, text] of [
      [{ body: { a: 1 } }, '{"a":1}'],
      [{ body: '{"a": 1}' }, '{"a": 1}'],
      [{ body: Buffer.from('{"a": 1}') }, '{"a": 1}'],
      [{ body: { a: 1 }, rawBody: Buffer.from('{"a": 1}') }, '{"a": 1}'],
      [{ body: { a: "x".repeat(20) } }, null]
    ] as const) {
      expect(yield* readBefore(left)).toEqual(Exit.succeed(text))
    }
    const form = { body: { grant_type: "client_credentials", scope: "a b" } }
    const whole = yield* readBefore({ body: { a: "ä b", c: ["1", "2"] } }, "application/x-www-form-urlencoded")
    expect(whole).toEqual(Exit.succeed("a=%C3%A4+b&c=1&c=2"))
    expect(yield* readBefore(form, "application/x-www-form-urlencoded")).toEqual(Exit.succeed(null))
  })
)

it.live("says what to do if an earlier body parser kept nothing", () =>
  Effect.gen(function* () {
    const exit = yield* readBefore({})
    expect(Exit.isFailure(exit) && Cause.pretty(exit.cause)).toContain("Mount Parley before any body parser")
  })
)

it.live("cuts the connection off if it is interrupted", () =>
  Effect.gen(function* () {
    const message = request()
    let cutOff = 0
    const reading = yield* Effect.fork(readNodeBody(message, 4, () => void cutOff++))
    yield* Effect.yieldNow()
    message.push("ab")
    yield* Fiber.interrupt(reading)
    expect(cutOff).toBe(1)
  })
)

it.live("reports the bytes that arrive, and those that are kept", () =>
  Effect.gen(function* () {
    const message = request()
    const reported: Array<readonly [number, number]> = []
    const reading = yield* Effect.fork(
      readNodeBody(
        message,
        4,
        () => {},
        (received, kept) => void reported.push([received, kept])
      )
    )
    yield* Effect.yieldNow()
    for (const chunk of ["ab", "cd", "e", null]) message.push(chunk)
    expect(yield* Fiber.join(reading)).toBeNull()
    expect(reported).toEqual([
      [2, 2],
      [4, 4],
      [5, 0]
    ])
  })
)
