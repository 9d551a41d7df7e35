import { type IncomingMessage, type ServerResponse, STATUS_CODES } from "node:http"
import type { Duplex } from "node:stream"
import { Effect, Exit, Runtime, type Stream } from "effect"
import { hasContent, isStream, type Outgoing } from "./Incoming.js"
import type { Interpreter } from "./Interpreter.js"
import { readNodeBody } from "./readNodeBody.js"
import { writeNodeBody } from "./writeNodeBody.js"

/** What `node:http` calls; mounts in Express and Fastify too, under any prefix that they take off `request.url`. */
export interface NodeListener {
  (request: IncomingMessage, response: ServerResponse): void
  /** For the server's event `clientError`: answers what Node's parser refuses. */
  readonly clientError: (error: NodeJS.ErrnoException, socket: Duplex) => void
}

/**
 * Serves inside a server that somebody else makes; a server of its own is {@link nodeServer}.
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
    const latest = new WeakMap<Duplex, { readonly request: IncomingMessage; readonly response: ServerResponse }>()
    const held = new WeakSet<Duplex>()

    const listener = (request: IncomingMessage, response: ServerResponse): void => {
      latest.set(request.socket, { request, response })
      let cutOff = false
      const peer = request.socket.remoteAddress ?? null
      const fiber = runFork(
        request.headers.host === undefined && request.httpVersion === "1.1"
          ? interpreter.answerUnreadable(peer)
          : interpreter.answer({
              method: request.method ?? "",
              url: request.url ?? "",
              base: baseOf(request),
              headers: request.headers,
              peer,
              body: (limit) =>
                readNodeBody(request, limit, () => {
                  cutOff = true
                })
            })
      )
      fiber.addObserver((exit) => {
        if (Exit.isFailure(exit)) return response.destroy()
        const { status, headers, body } = exit.value
        if (cutOff) response.setHeader("connection", "close")
        if (isStream(body)) {
          response.writeHead(status, headers)
          return request.method === "HEAD" || !hasContent(status) ? void response.end() : send(response, body)
        }
        // What was not sent has no length.
        response.writeHead(
          status,
          hasContent(status) ? { ...headers, "content-length": Buffer.byteLength(body) } : headers
        )
        response.end(body)
      })
      // A write goes on without its client: whoever waits for a verdict has to settle what its key stands for.
      if (request.method === "GET") {
        response.on("close", () => {
          if (!response.writableEnded) fiber.unsafeInterruptAsFork(fiber.id())
        })
      }
    }

    const send = (response: ServerResponse, body: Stream.Stream<Uint8Array>): void => {
      const writing = runFork(writeNodeBody(response, body))
      response.on("close", () => writing.unsafeInterruptAsFork(writing.id()))
      // Whoever reads must not take what was cut off for the whole.
      writing.addObserver((exit) => {
        if (Exit.isFailure(exit)) response.destroy()
      })
    }

    const clientError = (error: NodeJS.ErrnoException, socket: Duplex): void => {
      if (error.code === "ECONNRESET" || !socket.writable) return void socket.destroy(error)
      if (held.has(socket)) return
      const last = latest.get(socket)
      // What cannot be read came behind a whole request, whose sender must not take this answer for its own.
      if (last?.request.complete && !last.response.writableFinished) {
        held.add(socket)
        last.response.once("close", () => {
          held.delete(socket)
          clientError(error, socket)
        })
        return
      }
      const peer = "remoteAddress" in socket && typeof socket.remoteAddress === "string" ? socket.remoteAddress : null
      runFork(interpreter.answerUnreadable(peer)).addObserver((exit) => {
        if (Exit.isFailure(exit) || !socket.writable) return void socket.destroy()
        socket.end(asText(exit.value))
      })
    }

    return Object.assign(listener, { clientError })
  })

/** Frameworks that mount under a prefix take it off `url` and keep the whole in `originalUrl`. */
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
