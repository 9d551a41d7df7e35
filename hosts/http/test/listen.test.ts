import { createServer } from "node:http"
import { describe, expect, it } from "@effect/vitest"
import { Effect, Logger } from "effect"
import { listen, urlOf } from "../src/listen.js"

describe("a server that listens", () => {
  it.scopedLive("goes on after connections that cannot be accepted, and logs one of them", () => {
    const logged: Array<unknown> = []
    const logger = Logger.make(({ message }) => void logged.push(message))
    return Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => createServer((_, response) => response.end("here"))),
        (server) => Effect.promise(() => new Promise((closed) => server.close(closed)))
      )
      const url = urlOf(yield* listen(server, "127.0.0.1", 0))
      const error = Object.assign(new Error("accept ENOBUFS"), { code: "ENOBUFS" })
      server.emit("error", error)
      server.emit("error", error)
      const text = yield* Effect.promise(async () => {
        const response = await fetch(url, { headers: { connection: "close" } })
        return await response.text()
      })
      expect(text).toBe("here")
      expect(logged).toEqual([["a connection could not be accepted: ENOBUFS"]])
    }).pipe(Effect.provide(Logger.replace(Logger.defaultLogger, logger)))
  })
})
