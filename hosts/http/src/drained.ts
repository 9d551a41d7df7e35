import type { Server, ServerResponse } from "node:http"
import { Effect, type Scope } from "effect"

/** How long answers that are under way may take once the server is asked to stop, in ms (decisions.md §15). */
export const drainMs = 10_000

/**
 * When the scope ends, the server accepts nothing more, answers what it has begun, and closes every connection: one that is
 * busy with its answer, one that is idle at once, and all that are left after {@link drainMs}.
 */
export const drained = (server: Server): Effect.Effect<void, never, Scope.Scope> =>
  Effect.suspend(() => {
    const inFlight = new Set<ServerResponse>()
    server.prependListener("request", (_request, response) => {
      inFlight.add(response)
      response.once("close", () => {
        inFlight.delete(response)
        if (!server.listening) server.closeIdleConnections()
      })
    })
    const stop = Effect.async<void>((resume) => {
      for (const response of inFlight) if (!response.headersSent) response.setHeader("connection", "close")
      server.close(() => resume(Effect.void))
    })
    return Effect.addFinalizer(() =>
      stop.pipe(
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
