import { hostname } from "node:os"
import { describe, expect, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import { jsonLogger } from "../../src/layers/jsonLogger.js"

/** Log lines of the effect, parsed. */
const linesOf = (effect: Effect.Effect<void>) =>
  Effect.gen(function* () {
    const lines: Array<string> = []
    const logger = Logger.map(jsonLogger, (line) => {
      lines.push(line)
    })
    yield* Effect.provide(effect, Logger.replace(Logger.defaultLogger, logger))
    for (const line of lines) expect(line).not.toContain("\n")
    return lines.map((line) => JSON.parse(line))
  })

describe("the JSON log", () => {
  it.effect("has one line per message, with its annotations", () =>
    Effect.gen(function* () {
      const lines = yield* linesOf(
        Effect.logInfo("handed over").pipe(Effect.annotateLogs({ request_id: "r", message_id: "m" }))
      )
      expect(lines).toEqual([
        {
          time: "1970-01-01T00:00:00.000Z",
          level: "info",
          message: "handed over",
          host: hostname(),
          pid: process.pid,
          request_id: "r",
          message_id: "m"
        }
      ])
    })
  )

  it.effect("adds the fields of a message to the line", () =>
    Effect.gen(function* () {
      const [line] = yield* linesOf(Effect.logWarning("Answered a request.", { status: 404, message: "mine" }))
      expect(line).toMatchObject({ level: "warn", message: "Answered a request.", status: 404 })
    })
  )

  it.effect("logs errors with their stack, and several on one line", () =>
    Effect.gen(function* () {
      const [line] = yield* linesOf(Effect.logError("failed", new Error("one"), Cause.fail(new Error("two"))))
      expect(line.message).toBe("failed")
      expect(line.error).toMatch(/Error: one\n/)
      expect(line.error).toMatch(/Error: two/)
    })
  )

  it.effect("logs errors that cannot be printed whole", () =>
    Effect.gen(function* () {
      const [circular, other] = [new Error("circular"), new Error("other")]
      circular.cause = other
      other.cause = circular
      const hidden = Object.defineProperty(new Error("hidden"), "stack", {
        get: () => {
          throw new Error("no stack")
        }
      })
      const named = Object.assign(new Error("named"), { name: Symbol("name") })
      for (const error of [hidden, named, Object.assign(new Error("number"), { stack: 5 })]) {
        const lines = yield* linesOf(
          Effect.zipRight(Effect.logError("first", Cause.die(error)), Effect.logError("second", error))
        )
        expect(lines).toMatchObject([
          { message: "first", error: expect.any(String) },
          { message: "second", error: expect.any(String) }
        ])
      }
      const [line] = yield* linesOf(Effect.logError("failed", Cause.die(circular)))
      expect(line.error).toMatch(/Error: circular\n.*jsonLogger\.test\.ts/)
    })
  )

  it.effect("does not reveal redacted values", () =>
    Effect.gen(function* () {
      const secret = Redacted.make("hunter2")
      const lines = yield* linesOf(Effect.logInfo("token", secret).pipe(Effect.annotateLogs("secret", secret)))
      expect(JSON.stringify(lines)).not.toContain("hunter2")
    })
  )
})
