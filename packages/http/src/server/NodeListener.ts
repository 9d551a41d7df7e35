import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { isPushed } from "@parley/core"
import { Context, Duration, Effect, Exit, Runtime, Stream } from "effect"
import { hasContent, isStream, type Outgoing } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"
import { pushNodeBody } from "./pushNodeBody.js"
import { nodeBytes, readNodeBody } from "./readNodeBody.js"
import { writeNodeBody } from "./writeNodeBody.js"

/**
 * Request listener for `node:http`. Also mounts in Express and Fastify, under any prefix that they strip from
 * `request.url`.
 */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** Listener for the server's `clientError` event: responds to requests that Node's parser rejects. */
  readonly clientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
  /**
   * Marks a request of the server's `checkContinue` event: 100 is sent when its body is read, and a `Content-Length`
   * above the limit is refused without it. Pass the request to the listener then.
   */
  readonly expectsContinue: (request: IncomingMessage) => void
}

/**
 * Serves inside an existing Node server. `nodeServer` creates a server.
 *
 * @example
 * ```ts
 * const listener = yield* nodeListener(interpreter)
 * express().use("/messaging", listener)
 * ```
 */
export const nodeListener = (interpreter: Interpreter): Effect.Effect<NodeListener> =>
  Effect.map(Effect.runtime<never>(), (runtime) => {
    const runFork = Runtime.runFork(runtime)
    // A stream needs no service. Each scope copies the services that it inherits, and a host has a hundred of them.
    const runStream = Runtime.runFork(Runtime.updateContext(runtime, () => Context.empty()))
    const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>()
    const held = new WeakSet<Duplex>()
    const expecting = new WeakSet<IncomingMessage>()

    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      // The client left during an earlier handler of the server. Its `close` is past, so the response would never end.
      if (request.method === "GET" && response.destroyed) return
      latest.set(request.socket, { request, response })
      let cutOff = false
      const peer = request.socket.remoteAddress ?? null
      const fiber = runFork(
        request.headers.host === undefined && request.httpVersion === "1.1"
          ? (interpreter.answerUnreadable(peer) ?? Effect.succeed(null))
          : interpreter.answer({
              method: request.method ?? "",
              url: request.url ?? "",
              base: baseOf(request),
              headers: headersOf(request),
              peer,
              bytes: Stream.suspend(() => {
                if (expecting.has(request)) response.writeContinue()
                return nodeBytes(request)
              }),
              discard: Effect.suspend(() =>
                request.readableEnded
                  ? Effect.void
                  : readNodeBody(request, 0, () => {
                      cutOff = true
                    })
              ),
              body: (limit, onBytes) =>
                Effect.suspend(() => {
                  if (expecting.has(request)) {
                    if (Number(request.headers["content-length"] ?? 0) > limit) return Effect.succeed(null)
                    response.writeContinue()
                  }
                  return readNodeBody(
                    request,
                    limit,
                    () => {
                      cutOff = true
                    },
                    onBytes
                  )
                })
            })
      )
      fiber.addObserver((exit) => {
        // Another handler of the server answered first, such as a time limit. To write would end the process.
        if (response.headersSent || response.writableEnded) return
        if (Exit.isFailure(exit) || exit.value === null) return void response.destroy()
        const { status, headers, body } = exit.value
        if (cutOff) response.setHeader("connection", "close")
        if (isStream(body) || isPushed(body)) {
          response.writeHead(status, headers)
          if (request.method === "HEAD" || !hasContent(status)) return void response.end()
          return isStream(body) ? send(response, body) : pushNodeBody(response, body)
        }
        // No `Content-Length` without content.
        response.writeHead(
          status,
          hasContent(status) ? { ...headers, "content-length": Buffer.byteLength(body) } : headers
        )
        response.end(body)
      })
      // Writes continue after the client disconnects: a request that waits for a verdict has to complete its
      // idempotency record.
      if (request.method === "GET") {
        const interrupt = () => {
          if (!response.writableEnded) fiber.unsafeInterruptAsFork(fiber.id())
        }
        response.on("close", interrupt)
        // The response lives as long as its stream; the fiber that answered need not.
        fiber.addObserver(() => response.off("close", interrupt))
      }
    }

    const send = (response: ServerResponse, body: Stream.Stream<Uint8Array>): void => {
      // A response that is closed already emits no more events: the writer would wait for them forever.
      if (response.destroyed) return
      const writing = runStream(writeNodeBody(response, body))
      response.on("close", () => writing.unsafeInterruptAsFork(writing.id()))
      // Destroy the connection if the stream fails, so that the client does not take a truncated body for a complete
      // one.
      writing.addObserver((exit) => {
        if (Exit.isFailure(exit)) response.destroy()
      })
    }

    const clientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
      if (error.code === "ECONNRESET") return void socket.destroy(error)
      // Every further chunk of a malformed request is an error too.
      if (held.has(socket)) return
      if (!socket.writable) return void socket.destroy(error)
      const last = latest.get(socket)
      // The parser failed on bytes after a complete request (pipelining). Respond to that request first: its client
      // must not read this 400 as its response.
      if (last?.request.complete && !last.response.writableFinished) {
        held.add(socket)
        last.response.once("close", () => {
          held.delete(socket)
          clientError(error, socket)
        })
        return
      }
      // The request's body failed after its response: its client must not read another one.
      if (last !== undefined && !last.request.complete && last.response.headersSent) {
        end(socket, "")
        return
      }
      const peer = "remoteAddress" in socket && typeof socket.remoteAddress === "string" ? socket.remoteAddress : null
      const timedOut = error.code === "ERR_HTTP_REQUEST_TIMEOUT"
      // Clients open connections in advance.
      if (timedOut && "bytesRead" in socket && socket.bytesRead === 0) return void socket.destroy()
      const forwardedFor = last?.request.complete === false ? last.request.headers["x-forwarded-for"] : undefined
      const answered: Effect.Effect<Outgoing<string>> | null = timedOut
        ? interpreter.answerTimeout(peer, forwardedFor === undefined ? undefined : String(forwardedFor))
        : interpreter.answerUnreadable(peer)
      if (answered === null) return void socket.destroy()
      held.add(socket)
      runFork(answered).addObserver((exit) => {
        if (Exit.isFailure(exit) || !socket.writable) return void socket.destroy()
        end(socket, asText(exit.value))
      })
    }

    /**
     * Writes the last bytes of a connection. It is closed by its client, or after {@link linger}: to close it with
     * unread bytes resets it, and the client may lose the response.
     */
    const end = (socket: Duplex, text: string): void => {
      held.add(socket)
      socket.end(text)
      const closing = runFork(
        Effect.delay(
          Effect.sync(() => socket.destroy()),
          linger
        )
      )
      socket.once("close", () => closing.unsafeInterruptAsFork(closing.id()))
    }

    const expectsContinue = (request: IncomingMessage) => void expecting.add(request)

    return Object.assign(listener, { clientError, expectsContinue })
  })

/** Time in which the bytes behind a malformed request are discarded. */
const linger = Duration.seconds(2)

/** Headers of which a repeated one is refused. Node drops or joins further values. */
const single: ReadonlyArray<string> = ["authorization", "idempotency-key"]

const headersOf = ({ headers, rawHeaders }: IncomingMessage): IncomingMessage["headers"] => {
  const repeated = single.flatMap((name) => {
    if (headers[name] === undefined) return []
    const values = rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name)
    return values.length > 1 ? [[name, values] as const] : []
  })
  return repeated.length === 0 ? headers : { ...headers, ...Object.fromEntries(repeated) }
}

/** Mount prefix. Frameworks that mount under a prefix strip it from `url` and keep the full URL in `originalUrl`. */
const baseOf = (request: IncomingMessage): string => {
  const url = request.url ?? ""
  const original = "originalUrl" in request ? String(request.originalUrl) : url
  const prefix = original.endsWith(url) ? original.slice(0, original.length - url.length) : ""
  return `${"encrypted" in request.socket ? "https" : "http"}://${request.headers.host ?? "localhost"}${prefix}`
}

const asText = ({ status, headers, body }: Outgoing<string>): string => {
  const all = { ...headers, "content-length": Buffer.byteLength(body), connection: "close" }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}\r\n${lines.join("")}\r\n${body}`
}
