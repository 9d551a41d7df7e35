import { type AddressInfo, connect, createServer, type Socket } from "node:net"

/** A TCP proxy before Postgres whose network can fail. */
export interface DatabaseProxy {
  readonly port: number
  /** Port of Postgres. Further connections go there. */
  readonly setTarget: (port: number) => void
  /** Forwards nothing until {@link resume}: connections stay open. */
  readonly stall: () => void
  readonly resume: () => void
  /** Closes all connections. New ones are accepted. */
  readonly cut: () => void
  readonly close: () => void
}

export const openDatabaseProxy = (firstTarget: number): Promise<DatabaseProxy> => {
  const sockets = new Set<Socket>()
  let target = firstTarget
  let isStalled = false

  const server = createServer((near) => {
    const far = connect(target, "127.0.0.1")
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const [from, to] of [
      [near, far],
      [far, near]
    ] as const) {
      sockets.add(from)
      from.setNoDelay(true)
      from.on("data", (data) => {
        if (!to.destroyed) to.write(data)
      })
      from.on("error", end)
      from.on("close", () => {
        sockets.delete(from)
        end()
      })
      if (isStalled) from.pause()
    }
  })
  return new Promise((resolve) =>
    server.listen(0, "127.0.0.1", () =>
      resolve({
        port: (server.address() as AddressInfo).port,
        setTarget: (port) => {
          target = port
        },
        stall: () => {
          isStalled = true
          for (const socket of sockets) socket.pause()
        },
        resume: () => {
          isStalled = false
          for (const socket of sockets) socket.resume()
        },
        cut: () => {
          for (const socket of sockets) socket.destroy()
        },
        close: () => {
          server.close()
          for (const socket of sockets) socket.destroy()
        }
      })
    )
  )
}
