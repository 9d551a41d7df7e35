import type { Socket } from "node:net"
import { errors } from "undici"

/** Errors of sockets that had received data before they failed. */
const ends = new WeakSet<Error>()

/** Records whether a socket had received data when it failed, which the error does not tell. */
export const watchUse = (socket: Socket): void => {
  socket.once("error", (error) => {
    if (socket.bytesRead > 0) ends.add(error)
  })
}

/** Whether the error ended a connection that had received data before. */
export const diedAfterUse = (error: Error): boolean =>
  ends.has(error) || (error instanceof errors.SocketError && (error.socket?.bytesRead ?? 0) > 0)
