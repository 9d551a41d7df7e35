import { inboundConnectionId } from "../../world/seedSoak.js"
import { type Attack, hold } from "./Attack.js"

const connections = 64

/** Announces bodies of 32 MiB on the inbound route and sends one byte of each. */
export const silentBodies: Attack = (context) =>
  hold(context, connections, (socket) =>
    socket.write(
      `POST /inbound/${inboundConnectionId} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: 33554432\r\n\r\n{`
    )
  )
