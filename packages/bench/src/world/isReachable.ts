import { connect } from "node:net"

/** Whether something accepts connections at the host and port of a URL. */
export const isReachable = (url: string): Promise<boolean> =>
  new Promise((resolve) => {
    const { hostname, port } = new URL(url)
    const socket = connect({ host: hostname, port: Number(port), timeout: 1_000 })
    const end = (reached: boolean) => () => {
      socket.destroy()
      resolve(reached)
    }
    socket.once("connect", end(true)).once("error", end(false)).once("timeout", end(false))
  })
