import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect } from "effect"
import type { Interpreter } from "./Interpreter.js"
import { nodeListener } from "./NodeListener.js"

/**
 * Creates a `node:http` server, not listening yet. It also sends the error envelope for requests that Node would answer
 * itself: parse errors, a missing `Host`, `Expect` and `CONNECT`. `own` runs first for every request and returns
 * whether it handled the request.
 *
 * @example
 * ```ts
 * const server = yield* nodeServer(interpreter)
 * server.listen(8080, "127.0.0.1")
 * ```
 */
export const nodeServer = (
  interpreter: Interpreter,
  own: (request: IncomingMessage, response: ServerResponse) => boolean = () => false
): Effect.Effect<Server> =>
  Effect.map(nodeListener(interpreter), (listener) =>
    createServer({ requireHostHeader: false }, (request, response) => {
      if (!own(request, response)) listener(request, response)
    })
      .on("checkExpectation", listener)
      .on("clientError", listener.clientError)
      .on("connect", (_request, socket) => listener.clientError(new Error("CONNECT"), socket))
  )
