import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect } from "effect"
import type { Interpreter } from "./Interpreter.js"
import { nodeListener } from "./NodeListener.js"

/**
 * Creates a `node:http` server, not listening yet. It also sends the error envelope for requests that Node would answer
 * itself: parse errors, timeouts, a missing `Host`, `Expect` and `CONNECT`. `own` runs first for every request and
 * returns whether it handled the request.
 *
 * @example
 * ```ts
 * const server = yield* nodeServer(interpreter)
 * server.listen(8080, "127.0.0.1")
 * ```
 */
export const nodeServer = (
  interpreter: Interpreter,
  own: (request: IncomingMessage, response: ServerResponse) => boolean = () => false,
  timeouts: Timeouts = defaultTimeouts
): Effect.Effect<Server> =>
  Effect.map(nodeListener(interpreter), (listener) => {
    const options = {
      requireHostHeader: false,
      headersTimeout: timeouts.headersMs,
      requestTimeout: timeouts.requestMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: timeouts.checkEveryMs
    }
    const server = createServer(options, (request, response) => {
      if (!own(request, response)) listener(request, response)
    })
    return server
      .on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
        listener.expectsContinue(request)
        server.emit("request", request, response)
      })
      .on("checkExpectation", listener)
      .on("clientError", listener.clientError)
      .on("connect", (_request, socket) => listener.clientError(new Error("CONNECT"), socket))
  })

/** Maximum times of a request to arrive. A request that exceeds them gets 408. */
interface Timeouts {
  readonly headersMs: number
  /** For headers and body. */
  readonly requestMs: number
  /** The timeouts are checked at this interval. */
  readonly checkEveryMs: number
}

/**
 * Longer than the keep-alive timeouts of proxies and clients, in ms, so that none sends on a connection that this
 * server closes.
 */
const keepAliveMs = 75_000

const defaultTimeouts: Timeouts = { headersMs: 10_000, requestMs: 30_000, checkEveryMs: 1_000 }
