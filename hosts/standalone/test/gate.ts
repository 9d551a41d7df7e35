import { connect, createServer, type Socket } from "node:net"
import { Effect } from "effect"

/** A way to a database server that can be shut, as when that server is down, and opened again. */
export interface Gate {
  /** The database's URL by way of the gate. */
  readonly url: string
  readonly open: Effect.Effect<void>
  readonly shut: Effect.Effect<void>
}

/** Opens a gate to the database at this URL, on a free port, while the scope lives. */
export const gateTo = (url: string) =>
  Effect.gen(function* () {
    const target = new URL(url)
    const own = new URL(url)
    const sockets = new Set<Socket>()
    const server = createServer({ noDelay: true }, (near) => {
      const far = connect({ port: Number(target.port), host: target.hostname, noDelay: true })
      for (const [socket, other] of [
        [near, far],
        [far, near]
      ] as const) {
        sockets.add(socket)
        socket.pipe(other)
        socket.on("error", () => {})
        socket.on("close", () => {
          sockets.delete(socket)
          other.destroy()
        })
      }
    })
    let port = 0
    const open = Effect.async<void>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    })
    const shut = Effect.async<void>((resume) => {
      if (!server.listening) return resume(Effect.void)
      server.close(() => resume(Effect.void))
      for (const socket of sockets) socket.destroy()
    })
    yield* Effect.acquireRelease(open, () => shut)
    const address = server.address()
    if (address !== null && typeof address === "object") port = address.port
    own.port = String(port)
    const gate: Gate = { url: own.href, open, shut }
    return gate
  })
