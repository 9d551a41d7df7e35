import type { IncomingMessage, ServerResponse } from "node:http"
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import type { HttpSender } from "@parley/core"
import { Effect, Stream, TestClock } from "effect"
import * as NodeHttpSender from "../src/NodeHttpSender.js"
import { certificate, serve, serveSecurely } from "./localServer.js"
import { timersOfClock } from "./timersOfClock.js"

const allowed = { allow: ["127.0.0.0/8"], allowHttp: true }
const get = (sender: HttpSender, url: string) => sender.get?.(url, 60_000) ?? Effect.dieMessage("it has no get")
const contentOf = (bytes: Stream.Stream<Uint8Array, unknown>) =>
  Effect.map(Stream.runCollect(bytes), (chunks) => Buffer.concat([...chunks]).toString())

/** A sender, and a server with a file at `/file` and what `answer` says at other paths. */
const opened = (
  answer: (path: string, response: ServerResponse, request: IncomingMessage) => void,
  options: NodeHttpSender.Options = allowed
) =>
  Effect.gen(function* () {
    const { port, sockets } = yield* serve((request, response) => {
      if (request.url === "/file") response.setHeader("content-type", "image/png").end("the bytes")
      else answer(request.url ?? "", response, request)
    })
    const sender = yield* NodeHttpSender.make(options)
    return { sender, sockets, at: (path: string) => `http://127.0.0.1:${port}${path}` }
  })

const to = (location: string) => (_path: string, response: ServerResponse) =>
  void response.writeHead(302, { location }).end("moved")

describe("a download", () => {
  it.scoped("has the bytes, the media type and the file name of the response", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((path, response) => {
        const names: { readonly [path: string]: string } = {
          "/quoted": 'attachment; filename="a \\"b\\".png"',
          "/plain": "inline; filename=a.png",
          "/encoded": "attachment; filename=x; filename*=UTF-8''gr%C3%B6%C3%9Fe.png",
          "/broken": "attachment; filename*=UTF-8''%E0%A4%A",
          "/latin": "attachment; filename=x; filename*=iso-8859-1''na%EFve.txt",
          "/fallback": "attachment; filename=\"plain.txt\"; filename*=UTF-8''%E0%A4%A"
        }
        response.setHeader("content-disposition", names[path] ?? "inline").end("x")
      })
      const file = yield* get(sender, at("/file"))
      expect([file.contentType, file.fileName]).toEqual(["image/png", null])
      expect(yield* contentOf(file.bytes)).toBe("the bytes")
      const nameAt = (path: string) => Effect.map(get(sender, at(path)), ({ fileName }) => fileName)
      expect(yield* nameAt("/quoted")).toBe('a "b".png')
      expect(yield* nameAt("/plain")).toBe("a.png")
      expect(yield* nameAt("/encoded")).toBe("größe.png")
      expect(yield* nameAt("/broken")).toBeNull()
      expect(yield* nameAt("/latin")).toBe("naïve.txt")
      expect(yield* nameAt("/fallback")).toBe("plain.txt")
      expect(yield* nameAt("/none")).toBeNull()
    })
  )

  it.scoped("follows three redirects, and no more", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((path, response) => {
        const left = Number(path.slice(1))
        to(left === 1 ? "/file" : `/${left - 1}`)(path, response)
      })
      expect(yield* contentOf((yield* get(sender, at("/3"))).bytes)).toBe("the bytes")
      const error = yield* Effect.flip(get(sender, at("/4")))
      expect([error._tag, error.reason]).toEqual(["FileGone", "its URL redirects more than 3 times"])
    })
  )

  it.scoped("is refused at private addresses, also behind a redirect", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened(to("http://10.0.0.1/secret"))
      const literal = yield* Effect.flip(get(sender, at("/moved")))
      expect([literal._tag, literal.reason]).toEqual(["FileGone", "its URL must be at a public address"])
      const strict = yield* NodeHttpSender.make({
        allowHttp: true,
        lookup: (_host, _options, callback) => callback(null, [{ address: "127.0.0.1", family: 4 }])
      })
      const resolved = yield* Effect.flip(get(strict, "http://files.example/a"))
      expect([resolved._tag, resolved.reason]).toEqual(["FileGone", "its URL leads to an address not allowed"])
      const http = yield* NodeHttpSender.make({ allow: ["127.0.0.0/8"] })
      expect((yield* Effect.flip(get(http, at("/file"))))._tag).toBe("FileGone")
    })
  )

  it.scoped("is gone after 4xx, and may be tried again after 5xx, 429 and failures of the network", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((path, response) => {
        if (path === "/cut") response.socket?.destroy()
        else response.writeHead(Number(path.slice(1))).end("no")
      })
      const failureAt = (path: string) => Effect.map(Effect.flip(get(sender, at(path))), ({ _tag }) => _tag)
      for (const path of ["/400", "/401", "/404", "/410"]) expect(yield* failureAt(path)).toBe("FileGone")
      for (const path of ["/408", "/429", "/500", "/503", "/cut"]) {
        expect(yield* failureAt(path)).toBe("ProviderUnavailable")
      }
      expect((yield* Effect.flip(get(sender, at("/404")))).reason).toBe("its URL answered 404")
    })
  )

  it.scoped("fails within its bytes if the connection breaks", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((_path, response) => {
        response.writeHead(200, { "content-length": "100" }).write("a part", () => response.socket?.destroy())
      })
      const { bytes } = yield* get(sender, at("/cut"))
      expect((yield* Effect.flip(contentOf(bytes))) as unknown).toMatchObject({ _tag: "ProviderUnavailable" })
    })
  )

  it.scoped("comes from servers with a trusted certificate of their name only", () =>
    Effect.gen(function* () {
      const { port } = yield* serveSecurely((request, response) => response.end(`secure ${request.headers.host}`))
      const lookup: NodeHttpSender.Options["lookup"] = (_host, _options, found) =>
        found(null, [{ address: "127.0.0.1", family: 4 }])
      const trusting = yield* NodeHttpSender.make({ ...allowed, lookup, ca: certificate })
      const { bytes } = yield* get(trusting, `https://hooks.example:${port}/a?b=c`)
      expect(yield* contentOf(bytes)).toBe(`secure hooks.example:${port}`)
      const strict = yield* NodeHttpSender.make({ ...allowed, lookup })
      for (const failed of [
        get(trusting, `https://other.example:${port}/`),
        get(strict, `https://hooks.example:${port}/`)
      ]) {
        expect((yield* Effect.flip(failed))._tag).toBe("ProviderUnavailable")
      }
    })
  )

  it.scoped("is read whole by a slow reader, although the server has closed the connection", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((_path, response) => {
        response.writeHead(200, { connection: "close", "content-length": 65_536 }).end(Buffer.alloc(65_536, "a"))
      })
      const { bytes } = yield* get(sender, at("/large"))
      // The end of the connection arrives before the first read.
      for (let turn = 0; turn < 100; turn++) yield* Effect.promise(nextTurn)
      expect((yield* contentOf(bytes)).length).toBe(65_536)
    })
  )

  it.scoped("ends when its time is over, before and within its bytes", () =>
    Effect.gen(function* () {
      const { at, sender } = yield* opened((path, response) => {
        if (path === "/slow") response.writeHead(200).write("a part")
      }, allowed).pipe(timersOfClock)
      const { bytes } = yield* get(sender, at("/slow"))
      const passing = Effect.forever(Effect.zipRight(Effect.promise(nextTurn), TestClock.adjust(60_000)))
      const failing = Effect.all([Effect.flip(contentOf(bytes)), Effect.flip(get(sender, at("/silent")))], {
        concurrency: "unbounded"
      })
      const failures: ReadonlyArray<unknown> = yield* Effect.raceFirst(failing, passing)
      expect(failures).toMatchObject([{ _tag: "ProviderUnavailable" }, { _tag: "ProviderUnavailable" }])
    })
  )
})
