import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** Answers all webhooks with a 2xx status. */
export const webhookReceiver = async () => {
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => response.end())
  })
  // Longer than the pauses between rounds: a post must not meet a socket that is just being closed.
  server.keepAliveTimeout = 120_000
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    stop: () => {
      server.close()
      server.closeAllConnections()
    }
  }
}
