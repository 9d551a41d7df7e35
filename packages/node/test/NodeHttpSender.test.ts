import { once } from "node:events"
import type { LookupFunction, Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { describe, expect, it } from "@effect/vitest"
import { HttpSender, type OutboundRequest, type OutboundResult } from "@parley/core"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import * as NodeHttpSender from "../src/NodeHttpSender.js"
import { answeringThread } from "./answeringThread.js"
import { headersRead } from "./headersRead.js"
import { certificate, serve, serveSecurely, serveSecureSocket, serveSocket } from "./localServer.js"
import { timersOfClock } from "./timersOfClock.js"

const loopback = ["127.0.0.0/8"]

const request = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  url,
  headers: { "content-type": "application/json" },
  body: "{}",
  timeoutMs: 10_000,
  ...more
})

const notAnswered = (error: string) => ({ _tag: "NotAnswered", error })

/** A resolver with scripted answers; the last one repeats. */
const resolving = (...answers: ReadonlyArray<ReadonlyArray<string>>): LookupFunction => {
  const left = [...answers]
  return (_hostname, _options, callback) => {
    const addresses = (left.length > 1 ? left.shift() : left[0]) ?? []
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
    )
  }
}

const failing =
  (code: string): LookupFunction =>
  (_hostname, _options, callback) =>
    callback(Object.assign(new Error(code), { code }), "")

describe("NodeHttpSender", () => {
  it.scoped("posts the body as UTF-8 with the given headers and returns the response", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const { port } = yield* serve(async (incoming, response) => {
        const { method, url, headers } = incoming
        seen.push([method, url, headers["content-type"], headers["x-webhook-id"], (await incoming.toArray()).join("")])
        response.writeHead(201).end("größer 🎉")
      })
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(
        request(`http://127.0.0.1:${port}/in?a=b`, {
          headers: { "content-type": "application/json", "X-Webhook-ID": "e1" },
          body: '{"text":"schön"}'
        })
      )
      expect(result).toEqual({ _tag: "Answered", status: 201, body: "größer 🎉" })
      expect(seen).toEqual([["POST", "/in?a=b", "application/json", "e1", '{"text":"schön"}']])
    })
  )

  it.scoped("keeps connections alive between requests", () =>
    Effect.gen(function* () {
      const { port, sockets } = yield* serve((_, response) => response.end("ok"))
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const post = sender.post(request(`http://127.0.0.1:${port}/`))
      yield* Effect.replicateEffect(post, 20)
      // A connection may still be busy when the next request starts.
      expect(sockets.size).toBeLessThanOrEqual(2)
    })
  )

  it.scoped("does not follow redirects", () =>
    Effect.gen(function* () {
      const paths: Array<string | undefined> = []
      const { port } = yield* serve(({ url }, response) => {
        paths.push(url)
        response.writeHead(307, { location: "/elsewhere" }).end()
      })
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(request(`http://127.0.0.1:${port}/in`))
      expect(result).toEqual({ _tag: "Answered", status: 307, body: "" })
      expect(paths).toEqual(["/in"])
    })
  )

  describe("address guard", () => {
    for (const host of ["127.0.0.1", "localhost", "2130706433", "0x7f.1", "127.0.0.1.", "0.0.0.0"]) {
      it.scoped(`refuses to connect to ${host}`, () =>
        Effect.gen(function* () {
          const { port, sockets } = yield* serve((_, response) => response.end())
          const sender = yield* NodeHttpSender.make()
          expect(yield* sender.post(request(`http://${host}:${port}/`))).toEqual(notAnswered("address not allowed"))
          expect(sockets.size).toBe(0)
        })
      )
    }

    for (const host of ["[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::]", "169.254.169.254"]) {
      it.scoped(`refuses ${host} although loopback is allowed`, () =>
        Effect.gen(function* () {
          const sender = yield* NodeHttpSender.make({ allow: loopback })
          expect(yield* sender.post(request(`http://${host}:9/`))).toEqual(notAnswered("address not allowed"))
        })
      )
    }

    it.scoped("refuses a name that resolves to an address that is not allowed", () =>
      Effect.gen(function* () {
        const { port, sockets } = yield* serve((_, response) => response.end())
        for (const address of ["127.0.0.1", "::ffff:127.0.0.1", "::1%lo", "10.0.0.1"]) {
          const sender = yield* NodeHttpSender.make({ lookup: resolving([address]) })
          const result = yield* sender.post(request(`http://hooks.example:${port}/`))
          expect(result, address).toEqual(notAnswered("address not allowed"))
        }
        expect(sockets.size).toBe(0)
      })
    )

    it.scoped("resolves a name again for every connection", () =>
      Effect.gen(function* () {
        const closing = { connection: "close" }
        const good = yield* serve((_, response) => response.writeHead(200, closing).end())
        const internal = yield* serve((_, response) => response.end(), "127.0.0.2", good.port)
        const sender = yield* NodeHttpSender.make({
          allow: ["127.0.0.1"],
          lookup: resolving(["127.0.0.1"], ["127.0.0.2"])
        })
        const url = `http://hooks.example:${good.port}/`
        expect(yield* sender.post(request(url))).toMatchObject({ _tag: "Answered" })
        expect(yield* sender.post(request(url))).toEqual(notAnswered("address not allowed"))
        expect(internal.sockets.size).toBe(0)
      })
    )

    it.scoped("uses only the allowed ones of several addresses", () =>
      Effect.gen(function* () {
        const good = yield* serve((_, response) => response.end("good"))
        const internal = yield* serve((_, response) => response.end("internal"), "127.0.0.2", good.port)
        const sender = yield* NodeHttpSender.make({
          allow: ["127.0.0.1"],
          lookup: resolving(["127.0.0.2", "::1", "127.0.0.1", "10.0.0.1"])
        })
        const result = yield* sender.post(request(`http://hooks.example:${good.port}/`))
        expect(result).toMatchObject({ body: "good" })
        expect(internal.sockets.size).toBe(0)
      })
    )

    it.scoped("filters a resolver that returns a single address", () =>
      Effect.gen(function* () {
        const { port } = yield* serve((_, response) => response.end("good"))
        const one: LookupFunction = (_hostname, _options, callback) => callback(null, "127.0.0.1", 4)
        const lenient = yield* NodeHttpSender.make({ allow: loopback, lookup: one })
        const strict = yield* NodeHttpSender.make({ lookup: one })
        const url = `http://hooks.example:${port}/`
        expect(yield* lenient.post(request(url))).toMatchObject({ body: "good" })
        expect(yield* strict.post(request(url))).toEqual(notAnswered("address not allowed"))
      })
    )

    it.effect("rejects an invalid CIDR in its options", () =>
      Effect.gen(function* () {
        const error = yield* Effect.flip(Effect.scoped(NodeHttpSender.make({ allow: ["127.0.0.0/8", "local"] })))
        expect(error).toMatchObject({ _tag: "CidrInvalid", cidr: "local" })
      })
    )

    it.effect("refuses to register URLs that it would not connect to", () =>
      Effect.gen(function* () {
        const sender = yield* HttpSender
        expect(sender.refusal("http://127.0.0.1/")).toBe(null)
        expect(sender.refusal("http://10.0.0.1/")).toBe("must be at a public address")
      }).pipe(Effect.provide(NodeHttpSender.layer({ allow: loopback, allowHttp: true })))
    )
  })

  describe("deadline", () => {
    /** Posts, waits until the server blocks, and advances the clock past the deadline. */
    const outlast = (sender: HttpSender, url: string, stuck: Deferred.Deferred<void>) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(sender.post(request(url)))
        yield* Deferred.await(stuck)
        yield* TestClock.adjust(9_999)
        expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
        yield* TestClock.adjust(1)
        return yield* Fiber.join(fiber)
      })
    const late = notAnswered("no answer within 10 s")

    it.scoped("applies to a response that never begins", () =>
      Effect.gen(function* () {
        const stuck = yield* Deferred.make<void>()
        const { port } = yield* serve(() => Deferred.unsafeDone(stuck, Effect.void))
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        expect(yield* outlast(sender, `http://127.0.0.1:${port}/`, stuck)).toEqual(late)
      })
    )

    it.scoped("applies to a slow response, and closes its connection", () =>
      Effect.gen(function* () {
        const closed = yield* Deferred.make<void>()
        const { port } = yield* serve((_, response) => {
          response.writeHead(200).write("a")
          const drip = setInterval(() => response.write("a"), 5)
          response.once("close", () => {
            clearInterval(drip)
            Deferred.unsafeDone(closed, Effect.void)
          })
        })
        const read = yield* headersRead(port)
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        expect(yield* outlast(sender, `http://127.0.0.1:${port}/`, read)).toEqual(
          notAnswered("answered 200, but the answer did not end within 10 s")
        )
        yield* Deferred.await(closed)
      })
    )

    it.scoped("applies to name resolution", () =>
      Effect.gen(function* () {
        const stuck = yield* Deferred.make<void>()
        const sender = yield* timersOfClock(
          NodeHttpSender.make({ lookup: () => Deferred.unsafeDone(stuck, Effect.void) })
        )
        expect(yield* outlast(sender, "https://hooks.example/", stuck)).toEqual(late)
      })
    )

    it.scoped("applies to the TLS handshake", () =>
      Effect.gen(function* () {
        const stuck = yield* Deferred.make<void>()
        const { port } = yield* serveSocket((socket) => {
          socket.on("error", () => {})
          socket.once("data", () => Deferred.unsafeDone(stuck, Effect.void))
        })
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        expect(yield* outlast(sender, `https://127.0.0.1:${port}/`, stuck)).toEqual(late)
      })
    )

    it.scoped("does not apply to a response that arrived before it while this process was blocked", () =>
      Effect.gen(function* () {
        const timeoutMs = 300
        const port = yield* answeringThread(timeoutMs + 1)
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request(`http://127.0.0.1:${port}/`, { timeoutMs }))
        expect(result).toEqual({ _tag: "Answered", status: 200, body: "in time" })
      })
    )

    it.scoped("applies to an uninterruptible caller", () =>
      Effect.gen(function* () {
        const stuck = yield* Deferred.make<void>()
        const { port } = yield* serve(() => Deferred.unsafeDone(stuck, Effect.void))
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        const stubborn = { ...sender, post: (_: OutboundRequest) => Effect.uninterruptible(sender.post(_)) }
        expect(yield* outlast(stubborn, `http://127.0.0.1:${port}/`, stuck)).toEqual(late)
      })
    )

    it.scoped("is the only end of a request of an uninterruptible caller", () =>
      Effect.gen(function* () {
        const requests = yield* Deferred.make<() => void>()
        const { port } = yield* serve((_, response) =>
          Deferred.unsafeDone(
            requests,
            Effect.succeed(() => response.end("after all"))
          )
        )
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        const result = yield* Deferred.make<OutboundResult>()
        const fiber = yield* sender
          .post(request(`http://127.0.0.1:${port}/`))
          .pipe(Effect.intoDeferred(result), Effect.uninterruptible, Effect.fork)
        const answer = yield* Deferred.await(requests)
        yield* Fiber.interruptFork(fiber)
        answer()
        expect(yield* Deferred.await(result)).toMatchObject({ _tag: "Answered", body: "after all" })
      })
    )

    it.scoped("cancels a request that is interrupted", () =>
      Effect.gen(function* () {
        const stuck = yield* Deferred.make<void>()
        const closed = yield* Deferred.make<void>()
        const { port } = yield* serve((_, response) => {
          response.once("close", () => Deferred.unsafeDone(closed, Effect.void))
          Deferred.unsafeDone(stuck, Effect.void)
        })
        const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
        const fiber = yield* Effect.fork(sender.post(request(`http://127.0.0.1:${port}/`)))
        yield* Deferred.await(stuck)
        yield* Fiber.interrupt(fiber)
        yield* Deferred.await(closed)
      })
    )
  })

  describe("connections kept alive", () => {
    /** A server that answers the first request of a connection and runs `second` on the next. */
    const answeringOnce = (second: (socket: Socket) => void) => {
      const arrivals: Array<number> = []
      return Effect.map(
        serveSocket((socket) => {
          let requests = 0
          socket.on("error", () => {})
          socket.on("data", () => {
            requests++
            arrivals.push(requests)
            if (requests === 1) socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
            else second(socket)
          })
        }),
        ({ port }) => ({ arrivals, url: `http://127.0.0.1:${port}/` })
      )
    }
    const ok = { _tag: "Answered", status: 200, body: "ok" }
    /** Posts, and waits until the connection is back in the pool. */
    const post = (sender: HttpSender, url: string) =>
      Effect.zipLeft(
        sender.post(request(url)),
        Effect.promise(() => nextTurn())
      )

    for (const [how, close] of [
      ["closes", (socket: Socket) => socket.end()],
      ["resets", (socket: Socket) => socket.resetAndDestroy()]
    ] as const) {
      it.scoped(`that the server ${how} on reuse cost no attempt`, () =>
        Effect.gen(function* () {
          const { arrivals, url } = yield* answeringOnce(close)
          const sender = yield* NodeHttpSender.make({ allow: loopback })
          for (let n = 0; n < 4; n++) expect(yield* post(sender, url)).toEqual(ok)
          // The new connection is not kept alive, so that every other request opens a kept one.
          expect(arrivals).toEqual([1, 2, 1, 1, 2, 1])
        })
      )

      it.scoped(`cost an attempt if the server ${how} a new one too`, () =>
        Effect.gen(function* () {
          let fresh = 0
          const { port } = yield* serveSocket((socket) => {
            socket.on("error", () => {})
            socket.once("data", () => {
              fresh++
              if (fresh > 1) return close(socket)
              socket.write("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok")
              socket.once("data", () => close(socket))
            })
          })
          const sender = yield* NodeHttpSender.make({ allow: loopback })
          const url = `http://127.0.0.1:${port}/`
          expect(yield* post(sender, url)).toEqual(ok)
          expect(yield* post(sender, url)).toEqual(notAnswered("connection closed before the answer was complete"))
          expect(fresh).toBe(2)
        })
      )
    }

    it.scoped("are retried only if reused", () =>
      Effect.gen(function* () {
        let fresh = 0
        const conversation = (socket: Socket) => {
          socket.on("error", () => {})
          socket.once("data", () => {
            fresh++
            socket.destroy()
          })
        }
        const plain = yield* serveSocket(conversation)
        const secure = yield* serveSecureSocket(conversation)
        const sender = yield* NodeHttpSender.make({
          allow: loopback,
          ca: certificate,
          lookup: resolving(["127.0.0.1"])
        })
        for (const url of [`http://127.0.0.1:${plain.port}/`, `https://hooks.example:${secure.port}/`]) {
          fresh = 0
          expect(yield* post(sender, url)).toMatchObject({ _tag: "NotAnswered" })
          expect(fresh, url).toBe(1)
        }
      })
    )

    it.scoped("are not retried once the response has begun", () =>
      Effect.gen(function* () {
        const { arrivals, url } = yield* answeringOnce((socket) => socket.end("HTTP/1.1 2"))
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        yield* post(sender, url)
        expect(yield* post(sender, url)).toEqual(notAnswered("connection closed before the answer was complete"))
        expect(arrivals).toEqual([1, 2])
      })
    )
  })

  describe("responses", () => {
    it.scoped("are read up to 64 KiB and cut at 4 KiB", () =>
      Effect.gen(function* () {
        const closed = yield* Deferred.make<void>()
        const { port } = yield* serve((_, response) => {
          response.once("close", () => Deferred.unsafeDone(closed, Effect.void))
          const pour = async () => {
            while (!response.destroyed) if (!response.write("é".repeat(10_000))) await once(response, "drain")
          }
          response.writeHead(200).write("a")
          pour().catch(() => {})
        })
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
        expect(result).toEqual({ _tag: "Answered", status: 200, body: `a${"é".repeat(2_047)}` })
        yield* Deferred.await(closed)
      })
    )

    it.scoped("with too large headers fail", () =>
      Effect.gen(function* () {
        const { port } = yield* serveSocket((socket) => {
          socket.on("error", () => {})
          socket.once("data", () => socket.write(`HTTP/1.1 200 OK\r\nx-long: ${"a".repeat(100_000)}\r\n\r\n`))
        })
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
        expect(result).toEqual(notAnswered("answer headers too large"))
      })
    )

    const closed = "connection closed before the answer was complete"
    const unasked = "answered 100 Continue or an upgrade of the protocol, which was not asked for"
    for (const [what, bytes, error] of [
      ["nothing at all", "", closed],
      ["half of the headers", "HTTP/1.1 200 OK\r\ncontent-", closed],
      ["half of the body", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", closed],
      ["half of a chunked body", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n", closed],
      ["100 Continue", "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\n\r\n", unasked],
      ["an upgrade", "HTTP/1.1 101 Sure\r\nupgrade: websocket\r\nconnection: upgrade\r\n\r\n", unasked],
      ["another protocol", "220 mail.example ESMTP\r\n", "answer is not valid HTTP"]
    ] as const) {
      it.scoped(`fail if the server sends ${what} and closes`, () =>
        Effect.gen(function* () {
          const { port } = yield* serveSocket((socket) => {
            socket.on("error", () => {})
            socket.once("data", () => socket.end(bytes))
          })
          const sender = yield* NodeHttpSender.make({ allow: loopback })
          expect(yield* sender.post(request(`http://127.0.0.1:${port}/`))).toEqual(notAnswered(error))
        })
      )
    }

    it.scoped("fail if no server listens", () =>
      Effect.gen(function* () {
        const { port } = yield* Effect.scoped(serve(() => {}))
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
        expect(result).toEqual(notAnswered("connection refused"))
      })
    )

    it.scoped("fail if the name cannot be resolved", () =>
      Effect.gen(function* () {
        const unknown = yield* NodeHttpSender.make({ lookup: failing("ENOTFOUND") })
        expect(yield* unknown.post(request("https://hooks.example/"))).toEqual(notAnswered("host name not found"))
        const later = yield* NodeHttpSender.make({ lookup: failing("EAI_AGAIN") })
        const result = yield* later.post(request("https://hooks.example/"))
        expect(result).toEqual(notAnswered("host name could not be looked up"))
      })
    )

    it.scoped("fail if the request is invalid", () =>
      Effect.gen(function* () {
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request("http://127.0.0.1:9/", { headers: { "x-a": "1\r\nx-b: 2" } }))
        expect(result).toEqual(notAnswered("request not valid"))
      })
    )

    it.scoped("fail if the URL is not http", () =>
      Effect.gen(function* () {
        const sender = yield* NodeHttpSender.make()
        for (const url of ["", "hooks.example", "https://1.2.3.4.5/", "ftp://hooks.example/", "file:///etc/passwd"]) {
          expect(yield* sender.post(request(url)), url).toEqual(notAnswered("URL not valid"))
        }
      })
    )
  })

  describe("TLS", () => {
    const lookup = resolving(["127.0.0.1"])

    it.scoped("connects to a server with a trusted certificate", () =>
      Effect.gen(function* () {
        const { port } = yield* serveSecurely((_, response) => response.end("secure"))
        const sender = yield* NodeHttpSender.make({ allow: loopback, lookup, ca: certificate })
        const result = yield* sender.post(request(`https://hooks.example:${port}/`))
        expect(result).toEqual({ _tag: "Answered", status: 200, body: "secure" })
      })
    )

    it.scoped("refuses a certificate that is untrusted or for another name", () =>
      Effect.gen(function* () {
        const requests: Array<unknown> = []
        const { port } = yield* serveSecurely((incoming, response) => {
          requests.push(incoming.url)
          response.end()
        })
        const trusting = yield* NodeHttpSender.make({ allow: loopback, lookup, ca: certificate })
        const strict = yield* NodeHttpSender.make({ allow: loopback, lookup })
        const [otherName, untrusted] = ["is for another host name", "is not from a trusted authority"].map((message) =>
          notAnswered(`TLS certificate ${message}`)
        )
        expect(yield* trusting.post(request(`https://other.example:${port}/`))).toEqual(otherName)
        expect(yield* strict.post(request(`https://hooks.example:${port}/`))).toEqual(untrusted)
        expect(requests).toEqual([])
      })
    )

    it.scoped("reports a server without TLS", () =>
      Effect.gen(function* () {
        const { port } = yield* serve((_, response) => response.end())
        const sender = yield* NodeHttpSender.make({ allow: loopback })
        const result = yield* sender.post(request(`https://127.0.0.1:${port}/`))
        expect(result).toEqual(notAnswered("TLS handshake failed"))
      })
    )
  })
})
