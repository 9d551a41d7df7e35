import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"
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

  /** Connections that the system lets wait for a server, at most. */
  const allowed = () => {
    try {
      return Number(readFileSync("/proc/sys/net/core/somaxconn", "utf8"))
    } catch {
      return 0
    }
  }

  it.scopedLive.skipIf(allowed() < 1_000)("lets more than 511 connections wait while it is busy", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.sync(() => createServer()),
        (server) => Effect.promise(() => new Promise((closed) => server.close(closed)))
      )
      const { port } = yield* listen(server, "127.0.0.1", 0)
      const connect = `
        let open = 0
        for (let n = 0; n < 700; n += 1) {
          require("node:net").connect(${port}, "127.0.0.1", () => ++open === 700 && process.exit(0))
        }
        setTimeout(() => process.exit(1), 60_000)`
      // This process accepts nothing until the other one has ended.
      expect(spawnSync(process.execPath, ["-e", connect]).status).toBe(0)
    })
  )
})
