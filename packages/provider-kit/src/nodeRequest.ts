import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestPlainly } from "node:http"
import { request as requestSecurely } from "node:https"
import type { Socket } from "node:net"
import { Effect } from "effect"

/** How long the connection of a request may make no progress, in ms. */
const connectTimeout = 10_000

/**
 * Sends a request by Node's HTTP client and returns the response after its headers. Does not follow redirects. `write`
 * ends the request; by default, it has no body. Not by `fetch`: the undici in Node 22 and 24, and undici 7, end the
 * process if a server closes the connection while the body is read slowly (nodejs/undici#5360).
 */
export const nodeRequest = (
  url: URL,
  options: RequestOptions,
  write: (request: ClientRequest) => void = (request) => void request.end()
): Effect.Effect<IncomingMessage, unknown> =>
  Effect.flatMap(
    Effect.try({
      try: () =>
        (url.protocol === "https:" ? requestSecurely : requestPlainly)(url, {
          ...options,
          // Some firewalls, and some of Meta's hosts, refuse requests without these.
          headers: { accept: "*/*", "user-agent": "Parley/1.0", ...options.headers }
        }),
      catch: (error) => error
    }),
    (request) =>
      Effect.async<IncomingMessage, unknown>((resume) => {
        request.on("response", (response) => resume(Effect.succeed(response)))
        request.on("error", (error) => resume(Effect.fail(error)))
        if (options.createConnection === undefined) {
          request.on("socket", (socket) =>
            limitConnect(socket, url.protocol === "https:" ? "secureConnect" : "connect")
          )
        }
        try {
          write(request)
        } catch (error) {
          request.destroy()
          resume(Effect.fail(error))
        }
        return Effect.sync(() => request.destroy())
      })
  )

const limitConnect = (socket: Socket, connected: "connect" | "secureConnect"): void => {
  // It is a kept connection.
  if (!socket.connecting) return
  const giveUp = () => {
    socket.destroy(Object.assign(new Error("not connected in time"), { code: "ETIMEDOUT", syscall: "connect" }))
  }
  socket.setTimeout(connectTimeout, giveUp)
  socket.once(connected, () => {
    socket.off("timeout", giveUp)
    socket.setTimeout(0)
  })
}
