import { type ClientRequest, type IncomingMessage, type RequestOptions, request as requestPlainly } from "node:http"
import { request as requestSecurely } from "node:https"
import type { Socket } from "node:net"
import { failedBeforeSending } from "@parley/core"
import { Effect } from "effect"

/** How long the connection of a request may make no progress, in ms. */
const connectTimeout = 10_000

/**
 * Sends a request by Node's HTTP client and returns the response after its headers. Does not follow redirects. `write`
 * ends the request; by default, it has no body. {@link failedBeforeSending} recognises errors that occurred before the
 * connection was established. Not by `fetch`: the undici in Node 22 and 24, and undici 7, end the
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
        let isConnected = false
        request.on("response", (response) => resume(Effect.succeed(response)))
        request.on("error", (error) => resume(Effect.fail(isConnected ? error : notConnected(error))))
        request.on("socket", (socket) => {
          const limit = options.createConnection === undefined ? connectTimeout : null
          whenConnected(socket, url.protocol === "https:" ? "secureConnect" : "connect", limit, () => {
            isConnected = true
          })
        })
        try {
          write(request)
        } catch (error) {
          request.destroy()
          resume(Effect.fail(error))
        }
        return Effect.sync(() => request.destroy())
      })
  )

/** Ends a socket that makes no progress for `limit` ms before it is connected; null for no limit. */
const whenConnected = (
  socket: Socket,
  connected: "connect" | "secureConnect",
  limit: number | null,
  then: () => void
): void => {
  // It is a kept connection.
  if (!socket.connecting) {
    then()
    return
  }
  const giveUp = () => {
    socket.destroy(Object.assign(new Error("not connected in time"), { code: "ETIMEDOUT", syscall: "connect" }))
  }
  if (limit !== null) socket.setTimeout(limit, giveUp)
  socket.once(connected, () => {
    if (limit !== null) socket.off("timeout", giveUp).setTimeout(0)
    then()
  })
}

/** The error of a connection that failed in its TLS handshake: no byte of the request was sent. */
const notConnected = (error: NodeJS.ErrnoException): unknown =>
  failedBeforeSending(error)
    ? error
    : Object.assign(new Error("not connected"), { code: error.code, syscall: "connect" })
