import type { Server, ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"
import { Effect, type Scope } from "effect"

/** How long requests in progress may take after the stop signal, in ms (docs/reference/running.md#shutdown). */
export const drainMs = 10_000

/**
 * How long a response without a content length may take after the stop signal, in ms. Such streams end at once, so that
 * an open one has a client that does not read.
 */
const streamMs = 1_000

/**
 * When the scope ends, the server accepts no more connections, finishes the requests in progress, and closes every
 * connection: busy ones after the response, idle ones at once, a stream whose client does not read after {@link
 * streamMs}, and all others after {@link drainMs}.
 */
export const drained = (server: Server): Effect.Effect<void, never, Scope.Scope> =>
  Effect.suspend(() => {
    const inFlight = new Set<ServerResponse>()
    server.prependListener("request", (_request, response) => {
      inFlight.add(response)
      response.once("close", () => {
        inFlight.delete(response)
        if (!server.listening) closeIdle()
      })
    })
    // Node regards a connection as idle once its response has ended, even if the client has not received all of it.
    const closeIdle = () => {
      if (![...inFlight].some(({ writableEnded }) => writableEnded)) server.closeIdleConnections()
    }
    const stop = Effect.async<void>((resume) => {
      for (const response of inFlight) if (!response.headersSent) response.setHeader("connection", "close")
      // `close` of an HTTP server would also close idle connections.
      NetServer.prototype.close.call(server, () => resume(Effect.void))
      closeIdle()
    })
    const endStreams = Effect.sync(() => {
      for (const response of inFlight) if (response.headersSent && response.chunkedEncoding) response.destroy()
    })
    return Effect.addFinalizer(() =>
      Effect.raceFirst(stop, Effect.zipRight(Effect.delay(endStreams, streamMs), Effect.never)).pipe(
        Effect.interruptible,
        Effect.disconnect,
        Effect.timeoutTo({
          duration: drainMs,
          onSuccess: () => undefined,
          onTimeout: () => server.closeAllConnections()
        })
      )
    )
  })
