import { createServer, type Server } from "node:http"
import { Effect } from "effect"
import type { Interpreter } from "./Interpreter.js"
import { nodeListener } from "./NodeListener.js"

/**
 * A `node:http` server that answers everything in the interface's way, also what Node would answer itself: requests that
 * its parser refuses, that name no host, that expect or connect to something. It does not listen yet.
 *
 * @example
 * ```ts
 * const server = yield* nodeServer(interpreter)
 * server.listen(8080, "127.0.0.1")
 * ```
 */
export const nodeServer = (interpreter: Interpreter): Effect.Effect<Server> =>
  Effect.map(nodeListener(interpreter), (listener) =>
    createServer({ requireHostHeader: false }, listener)
      .on("checkExpectation", listener)
      .on("clientError", listener.clientError)
      .on("connect", (_request, socket) => listener.clientError(new Error("CONNECT"), socket))
  )
