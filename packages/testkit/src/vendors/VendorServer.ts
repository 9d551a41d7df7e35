import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, type Scope } from "effect"

/** A request as a vendor's fake gets it, read to its end. */
export interface VendorRequest {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

/** What a fake answers; anything but bytes or text goes out as JSON. */
export interface VendorAnswer {
  readonly status: number
  readonly headers?: { readonly [name: string]: string }
  readonly body: unknown
}

/** A vendor's HTTP server in this process, on a port of its own. */
export interface VendorServer {
  /** Without a slash at its end. */
  readonly url: string
  /** The next request is answered so, whatever it asks. */
  readonly answerNext: (answer: VendorAnswer) => void
  /** The next request is read whole; then its connection is cut. */
  readonly cutNext: () => void
  /** The next request is read whole, and never answered. */
  readonly ignoreNext: () => void
  /** From now on nobody listens. */
  readonly stop: () => Promise<void>
}

/** Starts one, which stops with the scope. */
export const vendorServer = (
  handle: (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>
): Effect.Effect<VendorServer, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.promise(() => start(handle)),
    ({ stop }) => Effect.promise(stop)
  )

const start = async (
  handle: (request: VendorRequest) => VendorAnswer | Promise<VendorAnswer>
): Promise<VendorServer> => {
  const arranged: Array<VendorAnswer | "cut" | "ignore"> = []
  const server = createServer((incoming, outgoing) => {
    void read(incoming).then(async (request) => {
      const next = arranged.shift() ?? (await handle(request))
      if (next === "cut") outgoing.destroy()
      else if (next !== "ignore") write(outgoing, next)
    })
  })
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    answerNext: (answer) => void arranged.push(answer),
    cutNext: () => void arranged.push("cut"),
    ignoreNext: () => void arranged.push("ignore"),
    stop: () =>
      new Promise((stopped) => {
        server.close(() => stopped())
        server.closeAllConnections()
      })
  }
}

const read = async (incoming: IncomingMessage): Promise<VendorRequest> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const { pathname, searchParams } = new URL(incoming.url ?? "/", "http://vendor")
  return {
    method: incoming.method ?? "GET",
    path: pathname,
    query: searchParams,
    headers: incoming.headers,
    body: Buffer.concat(chunks)
  }
}

const write = (outgoing: ServerResponse, { body, headers, status }: VendorAnswer): void => {
  const isRaw = typeof body === "string" || body instanceof Uint8Array
  outgoing.writeHead(status, { "content-type": isRaw ? "application/octet-stream" : "application/json", ...headers })
  outgoing.end(isRaw ? body : JSON.stringify(body))
}
