import type { Server, ServerResponse } from "node:http"
import { Server as NetServer } from "node:net"
import { Effect, type Scope } from "effect"

/** How long answers that are under way may take once the server is asked to stop, in ms (decisions.md §15). */
export const drainMs = 10_000

/**
 * How long an answer without a length may take once the server is asked to stop, in ms: such streams end then, and one that is
 * still there has a client that does not read.
 */
const streamMs = 1_000

/**
 * When the scope ends, the server accepts nothing more, answers what it has begun, and closes every connection: one that is
 * busy after its answer, one that is idle at once, one whose client does not read a stream after {@link streamMs}, and all
 * that are left after {@link drainMs}.
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
    // Node takes a connection for idle whose answer is ended, even if its client does not have it yet.
    const closeIdle = () => {
      if (![...inFlight].some(({ writableEnded }) => writableEnded)) server.closeIdleConnections()
    }
    const stop = Effect.async<void>((resume) => {
      for (const response of inFlight) if (!response.headersSent) response.setHeader("connection", "close")
      // That of an HTTP server would close idle ones on its own.
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
