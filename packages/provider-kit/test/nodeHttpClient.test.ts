import { once } from "node:events"
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from "node:http"
import { createServer, type Server, type Socket } from "node:net"
import { setImmediate as nextTurn } from "node:timers/promises"
import { HttpClientRequest } from "@effect/platform"
import { describe, expect, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import { fileOf, type VendorError, vendorHttp } from "../src/index.js"

const vendor = vendorHttp<VendorError>({ httpClient: undefined, readError: () => null })

const listening = <S extends Server | HttpServer>(make: () => S) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const sockets = new Set<Socket>()
      const server = make().on("connection", (socket: Socket) => void sockets.add(socket))
      await once(server.listen(0, "127.0.0.1"), "listening")
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      return { server, sockets, url: `http://127.0.0.1:${port}/` }
    }),
    ({ server, sockets }) =>
      Effect.promise(async () => {
        for (const socket of sockets) socket.destroy()
        await new Promise((done) => server.close(done))
      })
  )

const serving = (answer: RequestListener) =>
  Effect.map(
    listening(() => createHttpServer(answer)),
    ({ url }) => url
  )

/** A server that answers with this header and body, and then closes the connection. `sent` resolves once it has. */
const closing = (header: string, body: Uint8Array) => {
  let done = () => {}
  const closed = new Promise<void>((resolve) => {
    done = resolve
  })
  return Effect.map(
    listening(() =>
      createServer((socket) => {
        socket.on("error", () => {})
        socket.once("data", () => {
          socket.write(`HTTP/1.1 200 OK\r\nconnection: close\r\n${header}\r\n`)
          // In a packet of its own, after the headers were read.
          setImmediate(() => socket.end(body, done))
        })
      })
    ),
    ({ url }) => ({ url, closed: Effect.promise(() => closed) })
  )
}

const get = (url: string) => vendor.open(HttpClientRequest.get(url))

const sizeOf = (bytes: Stream.Stream<Uint8Array, unknown>) =>
  Stream.runFold(bytes, 0, (size, chunk) => size + chunk.length)

/** The size of the file, read after the end of the connection has arrived. */
const readLate = (header: string, sizeSent: number) =>
  Effect.gen(function* () {
    const { closed, url } = yield* closing(header, Buffer.alloc(sizeSent, "a"))
    const response = yield* get(url)
    yield* closed
    for (let turn = 0; turn < 100; turn++) yield* Effect.promise(nextTurn)
    return yield* sizeOf(fileOf(response, null).bytes)
  })

describe("files of vendors", () => {
  for (const size of [1_000, 65_536, 200_000, 1_000_000]) {
    it.scoped(`are read whole although the vendor closed the connection after ${size} bytes`, () =>
      Effect.gen(function* () {
        expect(yield* readLate(`content-length: ${size}\r\n`, size)).toBe(size)
        expect(yield* readLate("", size)).toBe(size)
      })
    )
    it.scoped(`break off where the vendor closed the connection at half of ${size} bytes`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(readLate(`content-length: ${size}\r\n`, size / 2))
        expect(failure as unknown).toMatchObject({ _tag: "ProviderUnavailable", reason: "the file broke off" })
      })
    )
  }

  it.scoped("stop the vendor while they are not read", () =>
    Effect.gen(function* () {
      let written = 0
      const { url } = yield* listening(() =>
        createServer((socket) => {
          socket.on("error", () => {})
          const pour = () => {
            while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) written += 65_536
          }
          socket.on("drain", pour)
          socket.once("data", () => {
            socket.write("HTTP/1.1 200 OK\r\n\r\n")
            pour()
          })
        })
      )
      const response = yield* get(url)
      let before = -1
      while (before !== written) {
        before = written
        for (let turn = 0; turn < 1_000; turn++) yield* Effect.promise(nextTurn)
      }
      // Buffers of the kernel hold the rest.
      expect(written).toBeLessThan(64 << 20)
      expect(yield* sizeOf(Stream.take(response.stream, 3))).toBeGreaterThan(0)
    })
  )
})

describe("calls of vendors", () => {
  it.scoped("have the headers and each kind of body", () =>
    Effect.gen(function* () {
      const url = yield* serving((request, response) => {
        const chunks: Array<Buffer> = []
        request.on("data", (chunk: Buffer) => chunks.push(chunk))
        request.on("end", () => {
          const { authorization, "content-length": length, "content-type": type } = request.headers
          const body = Buffer.concat(chunks)
          expect(request.headers).toMatchObject({ accept: "*/*", "user-agent": "Parley/1.0" })
          response.end(
            JSON.stringify([request.method, authorization, type, body.toString(), Number(length) === body.length])
          )
        })
      })
      const post = HttpClientRequest.bearerToken(HttpClientRequest.post(url), "t")
      const sent = (request: HttpClientRequest.HttpClientRequest) => vendor.json(request)
      expect(yield* sent(HttpClientRequest.get(url))).toEqual(["GET", null, null, "", false])
      expect(yield* sent(HttpClientRequest.bodyUnsafeJson(post, { a: "ö" }))).toEqual([
        "POST",
        "Bearer t",
        "application/json",
        '{"a":"ö"}',
        true
      ])
      expect(yield* sent(HttpClientRequest.bodyUrlParams(post, { a: "b c" }))).toEqual([
        "POST",
        "Bearer t",
        "application/x-www-form-urlencoded",
        "a=b+c",
        true
      ])
      const bytes = Stream.make(Buffer.from("one "), Buffer.from("two"))
      expect(yield* sent(HttpClientRequest.bodyStream(post, bytes, { contentType: "text/plain" }))).toEqual([
        "POST",
        "Bearer t",
        "text/plain",
        "one two",
        false
      ])
      const form = new FormData()
      form.set("file", new Blob(["the bytes"]), "a.txt")
      const [, , type, body, hasLength] = (yield* sent(HttpClientRequest.bodyFormData(post, form))) as [
        string,
        string,
        string,
        string,
        boolean
      ]
      expect(hasLength).toBe(true)
      expect(type).toMatch(/^multipart\/form-data; boundary=/)
      expect(body).toContain('name="file"; filename="a.txt"')
      expect(body).toContain("the bytes")
    })
  )

  it.scoped("return any status, and do not follow redirects", () =>
    Effect.gen(function* () {
      const url = yield* serving((request, response) => {
        response.writeHead(Number(request.url?.slice(1)), { location: "/200" }).end()
      })
      for (const status of [200, 204, 302, 304, 404, 599]) {
        expect((yield* get(url + status)).status).toBe(status)
      }
    })
  )

  it.scoped("close the connection of a response whose status means nothing", () =>
    Effect.gen(function* () {
      const ended = yield* Deferred.make<void>()
      const url = yield* serving((request, response) => {
        request.socket.once("close", () => Deferred.unsafeDone(ended, Effect.void))
        response.writeHead(999).write("never ends")
      })
      expect(yield* Effect.flip(get(url))).toMatchObject({ _tag: "Unanswered" })
      yield* Deferred.await(ended)
    })
  )

  it.scoped("certainly did not reach a vendor without a connection, or with headers that cannot be sent", () =>
    Effect.gen(function* () {
      const url = yield* Effect.scoped(serving(() => {}))
      expect(yield* Effect.flip(get(url))).toMatchObject({
        _tag: "Unreachable",
        reason: expect.stringMatching("ECONNREFUSED")
      })
      const odd = HttpClientRequest.setHeader(HttpClientRequest.get(url), "authorization", "a\nb")
      expect(yield* Effect.flip(vendor.open(odd))).toMatchObject({ _tag: "Unreachable" })
    })
  )

  const endings: { readonly [what: string]: (socket: Socket) => void } = {
    "is closed": (socket) => void socket.end(),
    "is reset": (socket) => void socket.resetAndDestroy(),
    "is answered in plain text": (socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n")
  }
  for (const [what, end] of Object.entries(endings)) {
    it.scoped(`certainly did not reach a vendor whose connection ${what} in the TLS handshake`, () =>
      Effect.gen(function* () {
        const { url } = yield* listening(() =>
          createServer((socket) => {
            socket.on("error", () => {})
            socket.once("data", () => end(socket))
          })
        )
        const request = HttpClientRequest.post(url.replace("http:", "https:"))
        expect(yield* Effect.flip(vendor.json(request))).toMatchObject({ _tag: "Unreachable" })
      })
    )
  }

  it.scoped("may have reached a vendor that closes without an answer", () =>
    Effect.gen(function* () {
      const url = yield* serving((request) => void request.socket.destroy())
      expect(yield* Effect.flip(get(url))).toMatchObject({ _tag: "Unanswered" })
    })
  )

  it.scoped("end with a body that fails", () =>
    Effect.gen(function* () {
      const begun = yield* Deferred.make<void>()
      const url = yield* serving((request) => {
        request.resume()
        Deferred.unsafeDone(begun, Effect.void)
      })
      const broken = Stream.fromEffect(Effect.zipRight(Deferred.await(begun), Effect.fail("broken")))
      const bytes = Stream.concat(Stream.make(Buffer.from("one")), broken)
      const post = HttpClientRequest.bodyStream(HttpClientRequest.post(url), bytes)
      expect(yield* Effect.flip(vendor.json(post))).toMatchObject({ _tag: "Unanswered" })
    })
  )
})
