import type { Socket } from "node:net"
import { errors } from "undici"

/** What sockets died of that had read something before. */
const ends = new WeakSet<Error>()

/** Remembers whether a socket had been of use when it failed: the error alone does not tell. */
export const watchUse = (socket: Socket): void => {
  socket.once("error", (error) => {
    if (socket.bytesRead > 0) ends.add(error)
  })
}

/** Whether what a request failed with ended a connection that had carried an answer before. */
export const diedAfterUse = (error: Error): boolean =>
  ends.has(error) || (error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0)
