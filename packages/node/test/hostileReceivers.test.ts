import { subscribe, unsubscribe } from "node:diagnostics_channel"
import type { LookupFunction, Socket } from "node:net"
import { describe, expect, it } from "@effect/vitest"
import type { HttpSender, OutboundRequest } from "@parley/core"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import * as NodeHttpSender from "../src/NodeHttpSender.js"
import { headersRead } from "./headersRead.js"
import { certificate, expiredCertificate, pouring, serve, serveSecurely, serveSocket } from "./localServer.js"
import { timersOfClock } from "./timersOfClock.js"

const loopback = ["127.0.0.0/8"]
const request = (url: string): OutboundRequest => ({ url, headers: {}, body: "{}", timeoutMs: 10_000 })
const notAnswered = (error: string) => ({ _tag: "NotAnswered", error })
const toLoopback: LookupFunction = (_hostname, _options, callback) =>
  callback(null, [{ address: "127.0.0.1", family: 4 }])

/** Connections that requests of this process open, to count their bytes read. */
const connections = Effect.map(
  Effect.acquireRelease(
    Effect.sync(() => {
      const sockets: Array<Socket> = []
      const record = (message: unknown) => void sockets.push((message as { readonly socket: Socket }).socket)
      subscribe("undici:client:connected", record)
      return { record, sockets }
    }),
    ({ record }) => Effect.sync(() => unsubscribe("undici:client:connected", record))
  ),
  ({ sockets }) => sockets
)

/** Bytes that one socket read may return beyond the limit. */
const oneRead = 64 * 1_024

describe("a receiver", () => {
  for (const status of [300, 301, 302, 303, 305, 307, 308]) {
    for (const location of [
      "http://169.254.169.254/latest/meta-data/iam/security-credentials/",
      "http://[fd00:ec2::254]/",
      "//127.0.0.2/"
    ]) {
      it.scoped(`that redirects to ${location} with ${status} is not followed`, () =>
        Effect.gen(function* () {
          const sockets = yield* connections
          const { port } = yield* serve((_, response) => response.writeHead(status, { location }).end())
          const sender = yield* NodeHttpSender.make({ allow: [...loopback, "169.254.0.0/16", "fd00::/8"] })
          const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
          expect(result).toEqual({ _tag: "Answered", status, body: "" })
          expect(sockets).toHaveLength(1)
        })
      )
    }
  }

  it.scoped("that sends a gigabyte is read up to 64 KiB and disconnected", () =>
    Effect.gen(function* () {
      const sockets = yield* connections
      const { port } = yield* pouring("HTTP/1.1 200 OK\r\ncontent-length: 1073741824\r\n\r\n", "a".repeat(1024 * 1024))
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "a".repeat(4_096) })
      const [socket] = sockets
      expect(socket?.destroyed).toBe(true)
      expect(socket?.bytesRead).toBeLessThanOrEqual(64 * 1_024 + oneRead)
    })
  )

  it.scoped("that never ends its headers is disconnected before they fill the memory", () =>
    Effect.gen(function* () {
      const sockets = yield* connections
      const { port } = yield* pouring("HTTP/1.1 200 OK\r\n", `x-more: ${"a".repeat(1_000)}\r\n`)
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
      expect(result).toEqual(notAnswered("answer headers too large"))
      const [socket] = sockets
      expect(socket?.destroyed).toBe(true)
      expect(socket?.bytesRead).toBeLessThanOrEqual(64 * 1_024 + oneRead)
    })
  )

  describe("that responds slowly", () => {
    /** Posts, and returns the result after exactly ten seconds of test time. */
    const outlast = (sender: HttpSender, url: string, begun: Deferred.Deferred<void>) =>
      Effect.gen(function* () {
        const fiber = yield* Effect.fork(sender.post(request(url)))
        yield* Deferred.await(begun)
        yield* TestClock.adjust(9_999)
        expect(yield* Fiber.poll(fiber)).toMatchObject({ _tag: "None" })
        yield* TestClock.adjust(1)
        return yield* Fiber.join(fiber)
      })

    const silent = "no answer within 10 s"
    const cut = (status: number) => `answered ${status}, but the answer did not end within 10 s`
    for (const [what, first, drop, error] of [
      ["headers", "HTTP/1.1 200 OK\r\n", "x: y\r\n", silent],
      ["a header sent byte by byte", "HTTP/1.1 200 OK\r\nx: ", "y", silent],
      ["chunks", "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n", "1\r\na\r\n", cut(200)],
      ["a body without length", "HTTP/1.1 503 Sorry\r\n\r\n", "a", cut(503)],
      ["interim answers", "HTTP/1.1 103 Early Hints\r\n\r\n", "HTTP/1.1 103 Early Hints\r\n\r\n", silent]
    ] as const) {
      it.scoped(`with ${what} is disconnected after 10 s in total`, () =>
        Effect.gen(function* () {
          const begun = yield* Deferred.make<void>()
          const closed = yield* Deferred.make<void>()
          const { port } = yield* serveSocket((socket) => {
            socket.on("error", () => {})
            socket.once("data", () => {
              socket.write(first)
              const dripping = setInterval(() => socket.write(drop), 20)
              socket.once("close", () => {
                clearInterval(dripping)
                Deferred.unsafeDone(closed, Effect.void)
              })
              Deferred.unsafeDone(begun, Effect.void)
            })
          })
          const read = yield* headersRead(port)
          const sender = yield* timersOfClock(NodeHttpSender.make({ allow: loopback }))
          const result = yield* outlast(sender, `http://127.0.0.1:${port}/`, error === silent ? begun : read)
          expect(result).toEqual(notAnswered(error))
          yield* Deferred.await(closed)
        })
      )
    }
  })

  it.scoped("with a compressed response has it stored unexpanded", () =>
    Effect.gen(function* () {
      const bomb = Buffer.alloc(2_000, 0x61)
      const { port } = yield* serve((_, response) => response.writeHead(200, { "content-encoding": "gzip" }).end(bomb))
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
      expect(result).toEqual({ _tag: "Answered", status: 200, body: "a".repeat(2_000) })
    })
  )

  it.scoped("that closes at once is reported", () =>
    Effect.gen(function* () {
      const { port } = yield* serveSocket((socket) => socket.destroy())
      const sender = yield* NodeHttpSender.make({ allow: loopback })
      const result = yield* sender.post(request(`http://127.0.0.1:${port}/`))
      expect(result).toEqual(notAnswered("connection closed before the answer was complete"))
    })
  )

  it.scoped("with an invalid certificate is reported with the reason, and receives nothing", () =>
    Effect.gen(function* () {
      const requests: Array<string | undefined> = []
      const answer = ({ url }: { readonly url?: string | undefined }) => void requests.push(url)
      const good = yield* serveSecurely(answer)
      const expired = yield* serveSecurely(answer, expiredCertificate)
      const trusting = (ca: string) => NodeHttpSender.make({ allow: loopback, lookup: toLoopback, ca })
      const why = (sender: HttpSender, url: string) =>
        Effect.map(sender.post(request(url)), (result) => (result._tag === "NotAnswered" ? result.error : ""))
      const sender = yield* trusting(certificate)
      expect(yield* why(sender, `https://other.example:${good.port}/`)).toBe("TLS certificate is for another host name")
      expect(yield* why(yield* trusting(expiredCertificate), `https://hooks.example:${expired.port}/`)).toBe(
        "TLS certificate has expired"
      )
      const stranger = yield* NodeHttpSender.make({ allow: loopback, lookup: toLoopback })
      expect(yield* why(stranger, `https://hooks.example:${good.port}/`)).toBe(
        "TLS certificate is not from a trusted authority"
      )
      expect(requests).toEqual([])
    })
  )
})

describe("a host name", () => {
  /** A resolver with a first answer and another one for all later requests. */
  const rebinding = (first: ReadonlyArray<string>, then: ReadonlyArray<string>) => {
    let requests = 0
    const lookup: LookupFunction = (_hostname, _options, callback) => {
      requests += 1
      const found = requests === 1 ? first : then
      callback(
        null,
        found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }))
      )
    }
    return { lookup, requests: () => requests }
  }

  for (const hidden of ["127.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "fd00:ec2::254"]) {
    it.scoped(`that changes from public to ${hidden} is checked at connection`, () =>
      Effect.gen(function* () {
        const sockets = yield* connections
        // 127.0.0.9 plays a public address; all other private ones stay forbidden.
        const { port } = yield* serve(
          (_, response) => response.writeHead(200, { connection: "close" }).end(),
          "127.0.0.9"
        )
        const { requests, lookup } = rebinding(["127.0.0.9"], [hidden])
        const sender = yield* NodeHttpSender.make({ allow: ["127.0.0.9"], lookup })
        const url = `http://hooks.example:${port}/`
        expect(yield* sender.post(request(url))).toMatchObject({ _tag: "Answered" })
        expect(yield* sender.post(request(url))).toEqual(notAnswered("address not allowed"))
        expect(requests()).toBe(2)
        expect(sockets).toHaveLength(1)
      })
    )
  }
})
