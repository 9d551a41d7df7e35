import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import { Effect } from "effect"
import type { Interpreter } from "./Interpreter.js"
import { nodeListener } from "./NodeListener.js"

/**
 * A `node:http` server that answers everything in the interface's way, also what Node would answer itself: requests that
 * its parser refuses, that name no host, that expect or connect to something. It does not listen yet. `own` is asked first
 * about every request: it answers those that are its own, and says whether it did.
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
