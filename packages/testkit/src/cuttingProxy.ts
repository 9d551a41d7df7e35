import { connect, createServer, type Socket } from "node:net"

/** A proxy that cuts a connection at a chosen moment, or leads to another server from then on. */
export interface CuttingProxy {
  readonly port: number
  /**
   * Cuts the next connection that sends `text`: `before` the text is forwarded to the server, or `after`, when the
   * server answers and in place of the answer.
   */
  readonly cutAt: (text: string, when: "before" | "after") => void
  /** Leads new connections to the server on this port of the same host; open ones stay where they are. */
  readonly redirect: (port: number) => void
  readonly close: () => Promise<void>
}

/** Opens a proxy on a free port of this machine. */
export const openProxy = async (host: string, port: number): Promise<CuttingProxy> => {
  let target = port
  const sockets = new Set<Socket>()
  let cut: { readonly text: string; readonly when: "before" | "after" } | null = null

  const server = createServer({ noDelay: true }, (near) => {
    const far = connect({ port: target, host, noDelay: true })
    let answerIsCut = false
    const end = () => {
      near.destroy()
      far.destroy()
    }
    for (const socket of [near, far]) {
      sockets.add(socket)
      socket.on("error", end)
      socket.on("close", () => {
        sockets.delete(socket)
        end()
      })
    }
    near.on("data", (data) => {
      if (cut !== null && data.includes(cut.text)) {
        const { when } = cut
        cut = null
        if (when === "before") return end()
        answerIsCut = true
      }
      far.write(data)
    })
    far.on("data", (data) => (answerIsCut ? end() : near.write(data)))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The proxy has no port")
  return {
    port: address.port,
    cutAt: (text, when) => {
      cut = { text, when }
    },
    redirect: (port) => {
      target = port
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
