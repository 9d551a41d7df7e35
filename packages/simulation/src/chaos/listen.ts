import type { IncomingMessage, RequestListener } from "node:http"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"

/** An HTTP server on a free port of this machine. */
export interface Listening {
  /** Without a trailing slash. */
  readonly url: string
  readonly close: () => void
}

export const listen = (handle: RequestListener): Promise<Listening> =>
  new Promise((resolve) => {
    const server = createServer(handle)
    server.listen(0, "127.0.0.1", () =>
      resolve({
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        close: () => {
          server.close()
          server.closeAllConnections()
        }
      })
    )
  })

/** Reads the body of a request. Null: the connection broke. */
export const bodyOf = async (incoming: IncomingMessage): Promise<string | null> => {
  const chunks: Array<Buffer> = []
  try {
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
  } catch {
    return null
  }
  return Buffer.concat(chunks).toString("utf8")
}
